/** Saved payout accounts: what they hold, who may change them, and the email about each. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client, type Json } from '#test/client.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { IBAN, PAYOUT_FIELDS, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const URL = '/api/user/payout-accounts';
const body = { currency: 'eur', label: 'My EUR account', fields: PAYOUT_FIELDS };

const list = async (client: Client): Promise<Json[]> => (await client.get(URL)).body.data;
const saved = async (client: Client, changes: Json = {}): Promise<Json> => {
  const answer = await client.post(URL, { ...body, ...changes }, { key: true });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data;
};
const eventsOf = async (actorId: string) =>
  (
    await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('actor_id', '=', actorId)
      .where('action', 'like', '%payout_account%')
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('POST /api/user/payout-accounts', () => {
  it('saves the answers as an exchange would read them, and tells the customer of it', async () => {
    const { client, user } = await api.asMember();
    const fields = { ...PAYOUT_FIELDS, iban: ' de89 3704 0044 0532 0130 00 ' };
    const account = await saved(client, { label: '  My EUR account ', fields });
    assert.equal(account['label'], 'My EUR account');
    assert.equal(account['currency'].slug, 'eur');
    const values = account['fields'].map(({ key, value }: Json) => [key, value]);
    assert.deepEqual(values, [
      ['holder', 'Alex Marlow'],
      ['iban', IBAN],
    ]);
    assert.deepEqual(await list(client), [account]);
    const email = (await emailsTo(api, user.email)).find(
      ({ kind }) => kind === 'payout-account-saved',
    );
    assert.match(JSON.stringify(email?.data), new RegExp(`${IBAN}.*My EUR account`));
    assert.deepEqual(await eventsOf(user.id), ['users.payout_account_saved']);
  });

  it('saves once under one key', async () => {
    const { client } = await api.asMember();
    const key = { key: crypto.randomUUID() };
    const [first, again] = [await client.post(URL, body, key), await client.post(URL, body, key)];
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal((await list(client)).length, 1);
  });

  it('refuses what the currency does not accept, by field', async () => {
    const { client } = await api.asMember();
    const refused = async (changes: Json) => {
      const answer = await client.post(URL, { ...body, ...changes }, { key: true });
      assert.equal(answer.status, 422, answer.text);
      return Object.keys(answer.body.errors).toSorted();
    };
    assert.deepEqual(await refused({ currency: 'zzz' }), ['currency']);
    assert.deepEqual(await refused({ label: '' }), ['label']);
    const fields = { iban: 'DE89370400440532013001', other: 'x' };
    assert.deepEqual(await refused({ fields }), ['fields.holder', 'fields.iban', 'fields.other']);
    assert.deepEqual(await list(client), []);
  });

  it('is refused at the limit, also to two at once', async () => {
    const { client } = await api.asMember();
    for (let count = 1; count < 20; count += 1) await saved(client);
    const answers = await Promise.all([1, 2].map(() => client.post(URL, body, { key: true })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422]);
    assert.equal((await list(client)).length, 20);
  });

  it('needs a verified address, to which the email goes', async () => {
    const { client } = await api.asMember({ verified: false });
    const refused = await client.post(URL, body, { key: true });
    assert.deepEqual([refused.status, refused.body.code], [403, 'email_unverified']);
  });

  it('needs a fresh confirmation, and a session', async () => {
    const { client } = await api.asMember();
    api.clock.advance(11 * MINUTE);
    const refused = await client.post(URL, body, { key: true });
    assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation_required']);
    await client.post('/api/user/confirmation', { password: PASSWORD });
    await saved(client);
    assert.equal((await api.client().get(URL)).status, 401);
  });
});

describe('PATCH and DELETE /api/user/payout-accounts/{id}', () => {
  it('rename and delete one’s own account, without a confirmation', async () => {
    const { client, user } = await api.asMember();
    const { id } = await saved(client);
    api.clock.advance(11 * MINUTE);
    const renamed = await client.patch(`${URL}/${id}`, { label: 'Household' });
    assert.deepEqual([renamed.status, renamed.body.data.label], [200, 'Household']);
    assert.equal((await client.delete(`${URL}/${id}`)).status, 204);
    assert.deepEqual(await list(client), []);
    assert.equal((await client.delete(`${URL}/${id}`)).status, 404);
    assert.equal((await client.patch(`${URL}/${id}`, { label: 'Gone' })).status, 404);
    assert.deepEqual(await eventsOf(user.id), [
      'users.payout_account_saved',
      'users.payout_account_deleted',
    ]);
  });

  it('are 404 for another customer’s account, which stays', async () => {
    const { client } = await api.asMember();
    const account = await saved(client);
    const { client: other } = await api.asMember();
    assert.equal((await other.patch(`${URL}/${account['id']}`, { label: 'Mine' })).status, 404);
    assert.equal((await other.delete(`${URL}/${account['id']}`)).status, 404);
    assert.deepEqual(await list(client), [account]);
    assert.deepEqual(await list(other), []);
  });
});

describe('a saved account', () => {
  it('is offered with what still fits, once the desk asks for other fields', async () => {
    const { client } = await api.asMember();
    await saved(client);
    const eur = (await admin.get('/api/admin/currencies/eur')).body.data;
    const put = (payout_fields: Json[], version: number) =>
      admin.patch('/api/admin/currencies/eur', { version, payout_fields });
    const [holder, ...others] = eur.payout_fields;
    const changed = await put(
      [
        { ...holder, label: 'Owner' },
        { ...others[0], check: 'email', pattern: undefined },
      ],
      eur.version,
    );
    assert.equal(changed.status, 200, changed.text);
    const [account] = await list(client);
    assert.deepEqual(account?.['fields'], [
      { key: 'holder', label: 'Owner', value: 'Alex Marlow' },
    ]);
    await put(eur.payout_fields, changed.body.data.version);
    assert.equal((await list(client))[0]?.['fields'].length, 2);
  });

  it('is in the export of its customer’s data, and deleted with the account', async () => {
    const { client, user } = await api.asMember();
    const account = await saved(client);
    assert.deepEqual((await client.get('/api/user/export')).body.payout_accounts, [account]);
    assert.equal((await client.leave()).status, 204);
    const left = api.db.selectFrom('payout_accounts').select('id').where('user_id', '=', user.id);
    assert.deepEqual(await left.execute(), []);
  });
});
