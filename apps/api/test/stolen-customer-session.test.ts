/** What a thief can do to a customer's payouts and refunds with one stolen session. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Answer } from '#test/client.ts';
import { eventually } from '#test/eventually.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { create, PAYOUT_FIELDS, startTestDesk } from '#test/factories/exchange.ts';

const { api } = await startTestDesk({ after });
const THIEF = 'LT60 1010 0123 4567 8901';

const refusalsOf = async (userId: string) =>
  (
    await api.db
      .selectFrom('audit_events')
      .select('data')
      .where('actor_id', '=', userId)
      .where('action', '=', 'auth.confirmation_refused')
      .execute()
  ).map(({ data }) => data['route']);

describe('a stolen session of a customer', () => {
  it('names no account to be paid out to without the password, and each attempt is noted', async () => {
    const { client, user } = await api.asMember();
    const { number, version } = await create(client);
    const saved = { currency: 'eur', label: 'My EUR account', fields: PAYOUT_FIELDS };
    const ACCOUNTS = '/api/user/payout-accounts';
    assert.equal((await client.post(ACCOUNTS, saved, { key: true })).status, 201);
    api.clock.advance(11 * MINUTE);
    const own = async () => ({
      exchange: (await client.get(`/api/exchanges/${number}`)).body.data,
      accounts: (await client.get(ACCOUNTS)).body.data,
    });
    const { exchange, accounts } = await own();
    const fields = { holder: 'Thea Thief', iban: THIEF };
    const url = `/api/exchanges/${number}`;
    const attempts: Record<string, () => Promise<Answer>> = {
      'POST /api/user/payout-accounts': () =>
        client.post(ACCOUNTS, { ...saved, fields }, { key: true }),
      'PUT /api/exchanges/{number}/payout-fields': () =>
        client.put(`${url}/payout-fields`, { version, payout_fields: fields }, { key: true }),
      'PUT /api/exchanges/{number}/refund-account': () =>
        client.put(`${url}/refund-account`, { version, account: THIEF }, { key: true }),
    };
    for (const [route, attempt] of Object.entries(attempts)) {
      const { status, body } = await attempt();
      assert.deepEqual([route, status, body.code], [route, 403, 'confirmation_required']);
    }
    const guessed = await client.post('/api/user/confirmation', { password: 'a guess of theirs' });
    assert.equal(guessed.status, 422);
    const [route = '', again] = Object.entries(attempts)[0] ?? [];
    assert.equal((await again?.())?.body.code, 'confirmation_required', route);
    const after = await own();
    assert.deepEqual(after.exchange.payout_fields, exchange.payout_fields);
    assert.deepEqual([after.exchange.version, after.accounts], [version, accounts]);
    const routes = Object.keys(attempts);
    await eventually('all are noted', async () => (await refusalsOf(user.id)).length >= 3);
    assert.deepEqual((await refusalsOf(user.id)).toSorted(), routes);
    const emails = await emailsTo(api, user.email);
    assert.equal(emails.filter(({ kind }) => kind === 'payout-account-saved').length, 1);
    assert.ok(!JSON.stringify(emails).includes(THIEF));
  });
});
