/** An action whose answer fails has no effect: the ledger is posted in the same transaction. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, describe, it } from 'node:test';
import type { Answer } from './client.ts';
import {
  balances,
  claimed,
  create,
  createBody,
  quote,
  startTestDesk,
} from './factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const { sql } = api.deps;

/** From now on the last write of each action, after the ledger's entries, fails. */
async function failAnswers(): Promise<void> {
  await sql`create function fail_answer() returns trigger language plpgsql as
    $$ begin raise exception 'the answer is lost' using errcode = 'data_exception'; end $$`.simple();
  await sql`create trigger fail_answer before update on idempotency_keys
    for each row execute function fail_answer()`.simple();
}
afterEach(() => sql`drop function if exists fail_answer cascade`.simple());

async function books() {
  const [row] = await sql`
    select (select count(*)::int from ledger_entries) as entries,
      (select count(*)::int from exchange_events) as events,
      (select count(*)::int from exchanges) as exchanges`;
  return { ...row, ...(await balances(api)) };
}

/** Sends a request twice with one key, first while answers fail: only the second has an effect. */
async function leavesNothing(ask: (key: string) => Promise<Answer>, status: number): Promise<void> {
  const before = await books();
  const key = randomUUID();
  await failAnswers();
  assert.equal((await ask(key)).status, 500);
  assert.deepEqual(await books(), before, 'a failed answer leaves no entry in the ledger');
  await sql`drop function fail_answer cascade`.simple();
  const again = await ask(key);
  assert.equal(again.status, status, again.text);
  assert.notDeepEqual(await books(), before);
}

describe('an action whose answer fails', () => {
  it('creates no hold for a new exchange', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    await leavesNothing((key) => client.post('/api/exchanges', createBody(token), { key }), 201);
  });

  it('keeps the hold of a cancelled exchange', async () => {
    const { client } = await api.asMember();
    const { number, version } = await create(client);
    const path = `/api/exchanges/${number}/cancellation`;
    await leavesNothing((key) => client.post(path, { version }, { key }), 200);
  });

  it('posts no money for an approval or a completion', async () => {
    const { exchange } = await claimed(api, admin);
    const path = (verb: string) => `/api/admin/exchanges/${exchange.number}/${verb}`;
    const { version } = exchange;
    const approval = { version, received_amount: '100' };
    await leavesNothing((key) => admin.post(path('approval'), approval, { key }), 200);
    const completion = { version: version + 1, payout_reference: 'SEPA 1' };
    await leavesNothing((key) => admin.post(path('completion'), completion, { key }), 200);
  });

  it('does not change an adjusted reserve', async () => {
    const body = { direction: 'in', amount: '5', reason: 'A test.' };
    const path = '/api/admin/reserves/usd/adjustments';
    await leavesNothing((key) => admin.post(path, body, { key }), 201);
  });
});
