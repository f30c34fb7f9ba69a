/** A customer as the desk knows them. */
import type {
  addCustomerNote,
  CustomerNote,
  DeskCustomer,
  listCustomerExchanges,
} from '@cambist/contract/customers';
import type { QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import { openStates } from '@cambist/contract/exchange-groups';
import { exchangeStates } from '@cambist/contract/exchanges';
import { compare, formatDecimal, roundDown, type Decimal } from '@cambist/money/decimal';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { listSessions } from '#features/auth/sessions/sessions.ts';
import { recordUserEvent } from '#features/auth/users.ts';
import { valuationNow } from '#features/pairs/valuation.ts';
import type { InputOf } from '../actions/run.ts';
import type { Operator } from '../actions/transition.ts';
import { openContext, toleranceOf, type ExchangeContext } from '../context.ts';
import { deskRowView } from '../operator-view.ts';
import { accountText } from '../records.ts';
import { customerUse, worth } from '../quotes/customer-limits.ts';
import * as store from '../store/customers.ts';
import { databaseTime } from '../store/exchanges.ts';
import { ofCustomer } from '../store/filters.ts';
import { listDesk } from '../store/lists.ts';

const PER_PAGE = 25;

/** @throws Refusal 404; a deleted account is shown with what is left of it */
export async function getCustomer(deps: Deps, id: Id): Promise<DeskCustomer> {
  const { db } = deps;
  const person = await store.findPerson(db, id);
  if (!person) throw notFound();
  const { desk } = await openContext(deps);
  const valuation = await valuationNow(db, desk);
  const outcomes = await store.listOutcomes(db, id);
  const now = await databaseTime(db);
  const valueIn = (states: readonly string[]) => {
    const those = outcomes.filter(({ state }) => states.includes(state));
    return figure(worth(valuation, those));
  };
  const notes = await store.listNotes(db, id);
  return {
    id,
    name: person.name,
    email: person.email,
    email_verified_at: person.email_verified_at?.toISOString() ?? null,
    since: person.created_at.toISOString(),
    disabled_at: person.disabled_at?.toISOString() ?? null,
    deleted_at: person.deleted_at?.toISOString() ?? null,
    unit: valuation.unit,
    completed_value: valueIn(['completed']),
    open_value: valueIn(openStates),
    counts: exchangeStates
      .map((state) => ({
        state,
        count: outcomes
          .filter((outcome) => outcome.state === state)
          .reduce((sum, { count }) => sum + count, 0),
      }))
      .filter(({ count }) => count > 0),
    limits: (await customerUse(db, desk, { userId: id, now, valuation })).map(
      ({ window, used, most }) => ({
        window,
        used: figure(used),
        limit: most && figure(most),
        near: most !== null && compare(times(used, 10n), times(most, 8n)) >= 0,
      }),
    ),
    accounts: (await store.listAccounts(db, id)).map(({ lines, count, last_at, others }) => ({
      account: accountText(lines),
      exchanges: count,
      last_at: last_at.toISOString(),
      others,
    })),
    sessions: person.deleted_at ? [] : await listSessions(deps, id, null),
    notes: notes.map(noteView),
  };
}

/** Whole cents mostly. */
const figure = (value: Decimal) => formatDecimal(roundDown(value, 2));

const times = ({ units, scale }: Decimal, factor: bigint): Decimal => ({
  units: units * factor,
  scale,
});

function noteView({ at, ...note }: Omit<CustomerNote, 'at'> & { at: Date }): CustomerNote {
  return { ...note, at: at.toISOString() };
}

/** @throws Refusal 404; 422 on `cursor` */
export async function listExchangesOf(
  deps: Deps,
  actor: Actor,
  id: Id,
  { cursor, per_page = PER_PAGE }: NonNullable<QueryOf<typeof listCustomerExchanges>>,
): Promise<ReplyOf<typeof listCustomerExchanges>> {
  if (!(await store.findPerson(deps.db, id))) throw notFound();
  const context = await openContext(deps);
  const now = await databaseTime(deps.db);
  const rows = await listDesk(deps.db, {
    queue: 'all',
    operatorId: actor.id,
    now,
    desk: context.desk,
    by: undefined,
    conditions: [ofCustomer(id)],
    after: cursor === undefined ? null : readTimeCursor(cursor),
    limit: per_page + 1,
  });
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  return {
    data: page.map((row) => deskRowView(row, actor.id, now, toleranceOf(context, row.send))),
    meta: { next_cursor: last ? writeTimeCursor(last.place) : null, per_page },
  };
}

/** @throws Refusal 404, also for a deleted account */
export async function addNote(
  context: ExchangeContext,
  tx: Tx,
  { actor, origin }: Operator,
  { id: customerId, text }: InputOf<typeof addCustomerNote>,
): Promise<{ data: CustomerNote }> {
  const person = await store.findPerson(tx, customerId);
  if (!person || person.deleted_at) throw notFound();
  const at = await context.readTime(tx);
  const note = { customer_id: customerId, operator_id: actor.id, text: text.trim(), at };
  const id = await store.insertNote(tx, note);
  await recordUserEvent(tx, 'customer.noted', { id: customerId }, { actor, origin });
  const by = await store.findPerson(tx, actor.id);
  return { data: noteView({ id, text: note.text, by: by?.name ?? '', at }) };
}
