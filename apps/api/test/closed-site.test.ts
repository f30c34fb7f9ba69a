/** A site that is closed for maintenance: users can sign in, and nothing new is accepted. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PASSWORD, type Client } from './client.ts';
import { isGuest, startProviderDesk } from './factories/provider-journey.ts';

const { api, knownTo, come } = await startProviderDesk({ after });
const { client: admin } = await api.asAdmin();

async function close(enabled: boolean): Promise<void> {
  const { version, value } = (await admin.get('/api/admin/settings/general')).body.data;
  const maintenance = { ...value.maintenance, enabled, retry_minutes: 20 };
  const change = { version, value: { ...value, maintenance } };
  const answer = await admin.put('/api/admin/settings/general', change);
  assert.equal(answer.status, 200, answer.text);
}

const writings = {
  users: (client: Client) =>
    client.post('/api/auth/signup', {
      name: 'Alex Marlow',
      email: 'alex@example.com',
      password: PASSWORD,
      terms_accepted: true,
    }),
  contact_submissions: (client: Client) =>
    client.post('/api/contact-submissions', {
      name: 'Ada',
      email: 'ada@example.com',
      message: 'Where is my payout?',
    }),
  feature_reports: (client: Client) =>
    client.post('/api/report-features', { title: 'Dark mode', description: 'Please.' }),
  subscribers: (client: Client) => client.post('/api/subscribers', { email: 'ada@example.com' }),
} as const;
type Table = keyof typeof writings;
const tables = Object.keys(writings) as Table[];

async function count(table: Table): Promise<number> {
  const { length } = await api.db.selectFrom(table).select('id').execute();
  return length;
}

describe('a closed site', () => {
  before(() => close(true));

  for (const table of tables) {
    it(`refuses ${table} with the end of maintenance, and stores nothing`, async () => {
      const known = await count(table);
      const { status, body, headers } = await writings[table](api.client());
      assert.deepEqual([status, body.code], [503, 'site_closed']);
      assert.equal(headers['retry-after'], '1200');
      assert.equal(await count(table), known);
    });
  }

  it('signs existing users in with a provider, and opens no account', async () => {
    const { subject } = knownTo('google');
    const known = await count('users');
    const stranger = api.client();
    assert.equal(await come(stranger, 'google', subject), '/signin?trouble=closed');
    assert.ok(await isGuest(stranger));
    assert.equal(await count('users'), known);
    await close(false);
    assert.equal(await come(api.client(), 'google', subject), '/exchanges');
    await close(true);
    assert.equal(await come(api.client(), 'google', subject), '/exchanges');
  });

  it('accepts everything again once it is open', async () => {
    await close(false);
    for (const table of tables) {
      const known = await count(table);
      const { status, text } = await writings[table](api.client());
      assert.ok(status >= 200 && status < 300, text);
      assert.equal(await count(table), known + 1);
    }
  });
});
