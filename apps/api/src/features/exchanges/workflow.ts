/**
 * The exchange's actions, in ONE table: from which states, to which state, who
 * may, and under which guards. The buttons of customer and operator, the
 * transitions, the page `docs/exchange-states.md` and the tests all come from
 * it. Pure: the database's time and the row come in as facts.
 * Later actions (question, refund, late receipt, reopening) are rows to add.
 */
import { exchangeStates, type ExchangeState } from '@cambist/contract/exchanges';
import { Refusal } from '#kernel/refusal.ts';
import { guards, type Facts, type Guard, type GuardName } from './guards.ts';

export type Who = 'customer' | 'operator' | 'system';

/**
 * What an operation itself checks inside its transaction, since it takes the
 * request's words or other tables; named here so that the page tells all.
 */
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
  /** Empty for the action that makes the exchange. */
  readonly from: readonly ExchangeState[];
  /** `same`: the state stays. */
  readonly to: ExchangeState | 'same';
  readonly who: Who;
  readonly guards: readonly GuardName[];
  readonly checks: readonly CheckName[];
  /** The customer's timeline tells of it. */
  readonly told: boolean;
  /** The code when the state does not fit; `state_conflict` unless said. */
  readonly conflict?: string;
}

const beingDecided = ['payment_submitted', 'under_review', 'on_hold'] as const;

/** Rows may share an action's name when different people do it, or from different states. */
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
    told: true,
  },
  {
    action: 'upload_proof',
    from: ['awaiting_payment', ...beingDecided],
    to: 'same',
    who: 'customer',
    guards: ['payable_still', 'proofs_left'],
    checks: [],
    told: true,
    conflict: 'exchange_not_payable',
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'customer',
    guards: ['before_pay_by', 'proof_if_asked'],
    checks: ['evidence_as_asked'],
    told: true,
  },
  {
    action: 'undo',
    from: ['payment_submitted'],
    to: 'awaiting_payment',
    who: 'customer',
    guards: ['undo_once', 'undo_window'],
    checks: [],
    told: true,
  },
  {
    action: 'cancel',
    from: ['awaiting_payment'],
    to: 'cancelled',
    who: 'customer',
    guards: [],
    checks: [],
    told: true,
  },
  {
    action: 'submit',
    from: ['awaiting_payment'],
    to: 'payment_submitted',
    who: 'system',
    guards: ['past_pay_by', 'has_proof'],
    checks: [],
    told: true,
  },
  {
    action: 'expire',
    from: ['awaiting_payment'],
    to: 'expired',
    who: 'system',
    guards: ['past_pay_by', 'no_proof'],
    checks: [],
    told: true,
  },
  {
    action: 'claim',
    from: ['payment_submitted', 'under_review'],
    to: 'under_review',
    who: 'operator',
    guards: ['claim_free'],
    checks: [],
    told: true,
  },
  {
    action: 'release',
    from: ['under_review'],
    to: 'payment_submitted',
    who: 'operator',
    guards: ['claim_mine'],
    checks: [],
    told: false,
  },
  // A payout leaves the desk before it is entered here: who is about to send it says so first.
  {
    action: 'claim',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['not_own', 'payout_free'],
    checks: [],
    told: false,
  },
  {
    action: 'release',
    from: ['approved'],
    to: 'same',
    who: 'operator',
    guards: ['claim_mine'],
    checks: [],
    told: false,
  },
  {
    action: 'approve',
    from: ['under_review'],
    to: 'approved',
    who: 'operator',
    guards: ['claim_live', 'not_own'],
    checks: ['ledger_balanced', 'amount_as_expected'],
    told: true,
  },
  {
    action: 'reject',
    from: ['under_review', 'on_hold'],
    to: 'rejected',
    who: 'operator',
    guards: ['claim_live', 'not_own'],
    checks: ['reason_given'],
    told: true,
  },
  {
    action: 'complete',
    from: ['approved'],
    to: 'completed',
    who: 'operator',
    guards: ['not_own', 'payout_free'],
    checks: ['ledger_balanced', 'payout_reference_given'],
    told: true,
  },
  {
    action: 'note',
    from: exchangeStates,
    to: 'same',
    who: 'operator',
    guards: [],
    checks: [],
    told: false,
  },
] as const satisfies readonly ActionRow[];

export type ActionName = (typeof actions)[number]['action'];

/** States that nothing of this table leaves: the exchange is over. */
export const doneStates = ['completed'] as const satisfies readonly ExchangeState[];
export const closedStates = [
  'cancelled',
  'expired',
  'rejected',
  'refunded',
] as const satisfies readonly ExchangeState[];
export const openStates = [
  'awaiting_payment',
  ...beingDecided,
  'approved',
  'refund_pending',
] as const satisfies readonly ExchangeState[];

/** The row for this state; for a state that no row names, one that refuses it. */
export function rowOf(action: ActionName, who: Who, state?: ExchangeState): ActionRow {
  const rows: readonly ActionRow[] = actions.filter(
    (each) => each.action === action && each.who === who,
  );
  const row = rows.find(({ from }) => state !== undefined && from.includes(state)) ?? rows[0];
  if (!row) throw new Error(`The table of actions has no ${action} by ${who}.`);
  return row;
}

/** Why the action may not happen now, or null when it may. */
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

/** The state after the action. */
export function stateAfter(row: ActionRow, from: ExchangeState): ExchangeState {
  return row.to === 'same' ? from : row.to;
}

/** Everything this person may do now, in the table's order. */
export function allowedTo(who: Who, facts: Facts): ActionName[] {
  return actions
    .filter((row) => row.who === who && row.from.length > 0 && refusalOf(row, facts) === null)
    .map((row) => row.action);
}

/** Whether the customer's timeline tells of an event. */
export function isTold(event: { action: string; from_state: ExchangeState | null }): boolean {
  const { action, from_state: state } = event;
  const rows: readonly ActionRow[] = actions.filter((row) => row.action === action && row.told);
  return rows.some(({ from }) => (state === null ? from.length === 0 : from.includes(state)));
}
