/**
 * Pure: the table of actions on an exchange, with states, actors and guards. The buttons, the
 * transitions, `docs/exchange-states.md` and the tests use it.
 */
import { exchangeStates, type ExchangeState } from '@cambist/contract/exchanges';
import { Refusal } from '#kernel/refusal.ts';
import { guards, type Facts, type Guard, type GuardName } from './guards.ts';

export type Who = 'customer' | 'operator' | 'system';

/** Checks inside an action, which need the request or other tables; named for the documentation. */
export type CheckName =
  | 'address_confirmed'
  | 'quote_redeemable'
  | 'pair_active'
  | 'within_limits'
  | 'answers_valid'
  | 'terms_accepted'
  | 'few_open_exchanges'
  | 'reserve_covers'
  | 'evidence_as_asked'
  | 'ledger_balanced'
  | 'amount_as_expected'
  | 'reason_given'
  | 'payout_reference_given';

export interface ActionRow {
  readonly action: string;
  /** Empty for the creation. */
  readonly from: readonly ExchangeState[];
  readonly to: ExchangeState | 'same';
  readonly who: Who;
  readonly guards: readonly GuardName[];
  readonly checks: readonly CheckName[];
  /** Whether the customer's timeline has it. */
  readonly onTimeline: boolean;
  /** The code in another state; `state_conflict` by default. */
  readonly conflict?: string;
}

const inReview = ['payment_submitted', 'under_review', 'on_hold'] as const;

/** An action has a row for each actor and group of states. */
export const actions = [
  {
    action: 'create',
    from: [],
    to: 'awaiting_payment',
    who: 'customer',
    guards: [],
    checks: [
      'address_confirmed',
      'quote_redeemable',
      'pair_active',
      'within_limits',
      'answers_valid',
      'terms_accepted',
      'few_open_exchanges',
      'reserve_covers',
    ],
    onTimeline: true,
  },
  {
    action: 'upload_proof',
    from: ['awaiting_payment', ...inReview],
    to: 'same',
    who: 'customer',
    guards: ['payable_still', 'proofs_left'],
    checks: [],
    onTimeline: true,
    conflict: 'exchange_not_payable',
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'customer',
    guards: ['before_pay_by', 'proof_if_asked'],
    checks: ['evidence_as_asked'],
    onTimeline: true,
  },
  {
    action: 'undo',
    from: ['payment_submitted'],
    to: 'awaiting_payment',
    who: 'customer',
    guards: ['undo_once', 'undo_window'],
    checks: [],
    onTimeline: true,
  },
  {
    action: 'cancel',
    from: ['awaiting_payment'],
    to: 'cancelled',
    who: 'customer',
    guards: [],
    checks: [],
    onTimeline: true,
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'system',
    guards: ['past_pay_by', 'has_proof'],
    checks: [],
    onTimeline: true,
  },
  {
    action: 'expire',
    from: ['awaiting_payment'],
    to: 'expired',
    who: 'system',
    guards: ['past_pay_by', 'no_proof'],
    checks: [],
    onTimeline: true,
  },
  {
    action: 'claim',
    from: ['payment_submitted', 'under_review'],
    to: 'under_review',
    who: 'operator',
    guards: ['claim_free'],
    checks: [],
    onTimeline: true,
  },
  {
    action: 'release',
    from: ['under_review'],
    to: 'payment_submitted',
    who: 'operator',
    guards: ['claim_mine'],
    checks: [],
    onTimeline: false,
  },
  // A payout is claimed before it is sent, so that no two operators send it.
  {
    action: 'claim',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['not_own', 'payout_free'],
    checks: [],
    onTimeline: false,
  },
  {
    action: 'release',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['claim_mine'],
    checks: [],
    onTimeline: false,
  },
  {
    action: 'approve',
    from: ['under_review'],
    to: 'approved',
    who: 'operator',
    guards: ['claim_live', 'not_own'],
    checks: ['ledger_balanced', 'amount_as_expected'],
    onTimeline: true,
  },
  {
    action: 'reject',
    from: ['under_review', 'on_hold'],
    to: 'rejected',
    who: 'operator',
    guards: ['claim_live', 'not_own'],
    checks: ['reason_given'],
    onTimeline: true,
  },
  {
    action: 'complete',
    from: ['approved'],
    to: 'completed',
    who: 'operator',
    guards: ['not_own', 'payout_free'],
    checks: ['ledger_balanced', 'payout_reference_given'],
    onTimeline: true,
  },
  {
    action: 'note',
    from: exchangeStates,
    to: 'same',
    who: 'operator',
    guards: [],
    checks: [],
    onTimeline: false,
  },
] as const satisfies readonly ActionRow[];

export type ActionName = (typeof actions)[number]['action'];

/** The row for this state, or one that refuses it. */
export function rowOf(action: ActionName, who: Who, state?: ExchangeState): ActionRow {
  const rows: readonly ActionRow[] = actions.filter(
    (each) => each.action === action && each.who === who,
  );
  const row = rows.find(({ from }) => state !== undefined && from.includes(state)) ?? rows[0];
  if (!row) throw new Error(`The table of actions has no ${action} by ${who}.`);
  return row;
}

/** Null where the action is allowed. */
export function refusalOf(row: ActionRow, facts: Facts): Refusal | null {
  const { state } = facts.exchange;
  if (!row.from.includes(state)) {
    const words = state.replaceAll('_', ' ');
    const code = row.conflict ?? 'state_conflict';
    return new Refusal(409, code, `This cannot be done: the exchange is ${words}.`);
  }
  const failed = row.guards
    .map((name): Guard => guards[name])
    .find((guard) => !guard.passes(facts));
  return failed ? new Refusal(409, failed.code, failed.sentence) : null;
}

export function stateAfter(row: ActionRow, from: ExchangeState): ExchangeState {
  return row.to === 'same' ? from : row.to;
}

/** The actions allowed now, in the table's order. */
export function allowedTo(who: Who, facts: Facts): ActionName[] {
  return actions
    .filter((row) => row.who === who && row.from.length > 0 && refusalOf(row, facts) === null)
    .map((row) => row.action);
}

export function isOnTimeline(event: { action: string; from_state: ExchangeState | null }): boolean {
  const { action, from_state: state } = event;
  const rows: readonly ActionRow[] = actions.filter(
    (row) => row.action === action && row.onTimeline,
  );
  return rows.some(({ from }) => (state === null ? from.length === 0 : from.includes(state)));
}
