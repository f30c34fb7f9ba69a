/** Pure: what the table of actions allows. */
import type { ExchangeState } from '@cambist/contract/exchanges';
import { Refusal } from '#kernel/refusal.ts';
import { actions, type ActionName, type ActionRow, type Who } from './action-table.ts';
import { guards, type Facts, type Guard } from './guards.ts';

/** The row for this state, or one that refuses it. */
export function rowOf(action: ActionName, who: Who, state?: ExchangeState): ActionRow {
  const rows: readonly ActionRow[] = actions.filter(
    (each) => each.action === action && each.who === who,
  );
  const row = rows.find(({ from }) => state !== undefined && from.includes(state)) ?? rows[0];
  if (!row) throw new Error(`The table of actions has no ${action} by ${who}.`);
  return row;
}

const failedGuard = (row: ActionRow, facts: Facts): Guard | undefined =>
  row.guards?.map((name): Guard => guards[name]).find((guard) => !guard.passes(facts));

/** Null where the action is allowed. */
export function refusalOf(row: ActionRow, facts: Facts): Refusal | null {
  const { state } = facts.exchange;
  if (!row.from.includes(state)) {
    const words = state.replaceAll('_', ' ');
    const code = row.conflict ?? 'state_conflict';
    return new Refusal(409, code, `This cannot be done: the exchange is ${words}.`);
  }
  const failed = failedGuard(row, facts);
  return failed ? new Refusal(409, failed.code, failed.sentence) : null;
}

/** `chosen` is one of the row's other states. */
export function stateAfter(
  row: ActionRow,
  from: ExchangeState,
  chosen?: ExchangeState,
): ExchangeState {
  const usual = row.to === 'same' ? from : row.to;
  if (chosen === undefined || chosen === usual) return usual;
  if (!row.orTo?.includes(chosen)) throw new Error(`${row.action} does not lead to ${chosen}.`);
  return chosen;
}

/** The actions allowed now, in the table's order. */
export function allowedTo(who: Who, facts: Facts): ActionName[] {
  const rows: readonly ActionRow[] = actions;
  return rows
    .filter((row) => row.who === who && row.from.includes(facts.exchange.state))
    .filter((row) => failedGuard(row, facts) === undefined)
    .map((row) => row.action as ActionName);
}

export function isOnTimeline(event: { action: string; from_state: ExchangeState | null }): boolean {
  const { action, from_state: state } = event;
  const rows: readonly ActionRow[] = actions;
  const shown = rows.filter((row) => row.action === action && !row.hidden);
  return shown.some(({ from }) => (state === null ? from.length === 0 : from.includes(state)));
}
