/** What a thief can do to the desk's own money with one stolen session of an admin. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { SMTPServerOptions } from 'smtp-server';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { payeeSnapshot } from '#features/currencies/currencies.ts';
import { PASSWORD, type Answer, type Client, type Json } from '#test/client.ts';
import { addCurrency, addPair, currencyDraft } from '#test/desk.ts';
import { eventually } from '#test/eventually.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { startSmtp } from '#test/fakes/smtp.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after }, { jobs: true });
const owner = await api.asAdmin({ name: 'Ada Owner' });
const victim = await api.asAdmin({ name: 'Vic Tim' });
const clerk = await api.asAdmin({ permissions: ['desk'] });
const { user: customer } = await api.asMember();
for (const slug of ['usd', 'eur']) await addCurrency(owner.client, slug);
await addPair(owner.client, 'usd', 'eur');

const dataOf = async (client: Client, url: string) => (await client.get(url)).body.data;
const PAIR = '/api/admin/pairs/usd-to-eur';
const IBAN = 'GB29 NWBK 6016 1331 9268 19';
const THIEF = 'LT60 1010 0123 4567 8901';

async function patchPair(client: Client, changes: Json) {
  const { version } = await dataOf(client, PAIR);
  return client.patch(PAIR, { version, ...changes });
}

async function setRate(client: Client, mid_rate: string, confirm_rate?: string) {
  const { version } = await dataOf(client, PAIR);
  const body = { version, mid_rate, ...(confirm_rate && { confirm_rate }) };
  return client.put(`${PAIR}/rate`, body);
}

async function putSettings(client: Client, slug: string, changes: Json) {
  const url = `/api/admin/settings/${slug}`;
  const { version, value } = await dataOf(client, url);
  return client.put(url, { version, value: { ...value, ...changes } });
}

/** Each by its route in the audit log. */
const tries: Record<string, (client: Client) => Promise<Answer>> = {
  'PATCH /api/admin/pairs/{slug}': (client) => patchPair(client, { margin_percent: '0.5' }),
  'PUT /api/admin/pairs/{slug}/rate': (client) => setRate(client, '9.2', '9.108'),
  'PATCH /api/admin/currencies/{slug}': (client) => patchPayee(client, THIEF),
  'POST /api/admin/currencies': (client) =>
    client.post('/api/admin/currencies', currencyDraft('thief')),
  'POST /api/admin/reserves/{currency}/adjustments': (client) =>
    client.post(
      '/api/admin/reserves/usd/adjustments',
      { direction: 'in', amount: '1000000', reason: 'Out of thin air' },
      { key: true },
    ),
  'POST /api/admin/pending-changes/{id}/confirmation': (client) =>
    client.post(`/api/admin/pending-changes/${randomUUID()}/confirmation`, undefined, {
      key: true,
    }),
  'PUT /api/admin/settings/{slug}': (client) =>
    putSettings(client, 'mail', { host: 'mail.thief.example' }),
  'PUT /api/admin/settings/{slug}/secrets/{name}': (client) =>
    client.put('/api/admin/settings/sign-in-providers/secrets/google_client_secret', {
      secret: 'thief',
    }),
  'PUT /api/admin/users/{id}/role': (client) =>
    client.put(`/api/admin/users/${customer.id}/role`, { role: 'admin', permissions: ['money'] }),
};

const CURRENCY = '/api/admin/currencies/usd';

async function patchPayee(client: Client, value: string, changes: Json = {}) {
  const { version, payee_accounts } = await dataOf(client, CURRENCY);
  const [account] = payee_accounts;
  const changed = { ...account, details: [{ label: 'IBAN', value }], ...changes };
  return client.patch(CURRENCY, { version, payee_accounts: [changed] });
}

/** All that the thief is after. */
async function desk() {
  const read = (url: string) => dataOf(owner.client, url);
  return {
    pair: await read(PAIR),
    currencies: await read('/api/admin/currencies'),
    reserves: await read('/api/admin/reserves'),
    waiting: await read('/api/admin/pending-changes'),
    mail: await read('/api/admin/settings/mail'),
    providers: await read('/api/admin/settings/sign-in-providers'),
    security: await read('/api/admin/settings/security'),
    desk: await read('/api/admin/settings/desk'),
    role: (await read(`/api/admin/users/${customer.id}`)).role,
  };
}

const refusalsOf = async (userId: string) =>
  (
    await api.db
      .selectFrom('audit_events')
      .select('data')
      .where('actor_id', '=', userId)
      .where('action', '=', 'auth.confirmation_refused')
      .execute()
  ).map(({ data }) => data['route']);

const subjectsTo = async ({ user }: { user: Json }, kind: string) =>
  (await emailsTo(api, user.email)).filter((email) => email.kind === kind);

describe('a stolen session', () => {
  it('changes nothing without the password once it is older than ten minutes, and each attempt is noted', async () => {
    const { client, user } = await api.asAdmin({ name: 'Old Session' });
    api.clock.advance(11 * MINUTE);
    await owner.client.post('/api/user/confirmation', { password: PASSWORD });
    const before = await desk();
    for (const [route, attempt] of Object.entries(tries)) {
      for (let again = 0; again < 2; again += 1) {
        const { status, body } = await attempt(client);
        assert.deepEqual([route, status, body.code], [route, 403, 'confirmation_required']);
      }
    }
    for (const slug of ['security', 'desk', 'sign-in-providers']) {
      const { value } = await dataOf(client, `/api/admin/settings/${slug}`);
      const answer = await putSettings(client, slug, value);
      assert.equal(answer.body.code, 'confirmation_required', slug);
    }
    assert.deepEqual(await desk(), before);
    const routes = Object.keys(tries).toSorted();
    await eventually(
      'all are noted',
      async () => (await refusalsOf(user.id)).length >= routes.length,
    );
    assert.deepEqual((await refusalsOf(user.id)).toSorted(), routes);
  });

  it('still renames a currency, pauses a pair and moves it in the list', async () => {
    const { version } = await dataOf(victim.client, CURRENCY);
    const named = await victim.client.patch(CURRENCY, { version, name: 'Dollar' });
    assert.equal(named.status, 200, named.text);
    const answer = await patchPair(victim.client, { active: false, position: 7 });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await patchPair(victim.client, { active: true })).status, 200);
    assert.deepEqual(await subjectsTo(owner, 'pair-changed'), []);
  });

  it('tells every admin with the permission what was before and after, while it is fresh', async () => {
    await victim.client.post('/api/user/confirmation', {
      password: 'correct horse battery staple',
    });
    assert.equal((await patchPair(victim.client, { max_send: '9000' })).status, 200);
    assert.equal((await putSettings(victim.client, 'desk', { answer_hours: 5 })).status, 200);
    const role = { role: 'admin', permissions: ['content'] };
    assert.equal(
      (await victim.client.put(`/api/admin/users/${customer.id}/role`, role)).status,
      200,
    );

    const [pair] = await subjectsTo(owner, 'pair-changed');
    assert.match(JSON.stringify(pair?.data), /Max send.*5000\.00 → 9000\.00.*Vic Tim/);
    assert.equal((await subjectsTo(owner, 'role-changed')).length, 1);
    const told = () => subjectsTo(owner, 'settings-changed');
    await eventually('the email about settings', async () => (await told()).length === 1);
    assert.match(JSON.stringify((await told())[0]?.data), /Answer hours.*72 → 5/);
    assert.deepEqual(await emailsTo(api, clerk.user.email), []);
  });

  it('tells of a rate that jumps, and not of one that does not', async () => {
    assert.equal((await setRate(victim.client, '0.93')).status, 200);
    assert.equal((await subjectsTo(owner, 'pair-changed')).length, 1);
    const asked = await setRate(victim.client, '0.5');
    assert.equal(asked.body.code, 'rate_unconfirmed');
    const { to } = asked.body.rate_change;
    assert.equal((await setRate(victim.client, '0.5', to)).status, 200);
    assert.equal((await subjectsTo(owner, 'pair-changed')).length, 2);
  });

  it('may ask for another account to pay into, which waits, is emailed, and is stopped by an objection', async () => {
    await putSettings(owner.client, 'desk', { payee_cooling_hours: 24 });
    const payees = async () => (await dataOf(owner.client, CURRENCY)).payee_accounts;
    const before = await payees();
    const asked = await patchPayee(victim.client, THIEF);
    assert.equal(asked.status, 200, asked.text);
    assert.deepEqual(await payees(), before);
    assert.deepEqual(asked.body.data.payee_accounts, before);
    const usd = asked.body.data;
    assert.equal((await payeeSnapshot(api.db, usd)).details[0]?.value, IBAN);
    const [email] = await subjectsTo(owner, 'change-waits');
    assert.match(JSON.stringify(email?.data), new RegExp(`${IBAN}.*${THIEF}.*Vic Tim wants`));

    const { id } = asked.body.pending_change;
    const own = await decide(victim.client, id, 'confirmation');
    assert.deepEqual([own.status, own.body.code], [409, 'own_change']);
    const objected = await decide(owner.client, id, 'objection');
    assert.deepEqual([objected.status, objected.body.data.state], [200, 'objected']);
    assert.equal((await decide(victim.client, id, 'confirmation')).body.code, 'change_ended');
    assert.deepEqual(await payees(), before);
    assert.equal((await subjectsTo(victim, 'change-ended')).length, 1);
  });

  it('does not make its account effective by lowering the cooling-off time first', async () => {
    assert.equal(
      (await putSettings(victim.client, 'desk', { payee_cooling_hours: 0 })).status,
      200,
    );
    const asked = await patchPayee(victim.client, THIEF);
    const waitMs = new Date(asked.body.pending_change.effective_at).getTime() - Date.now();
    assert.ok(waitMs > 23 * HOUR, String(waitMs));
    await decide(owner.client, asked.body.pending_change.id, 'objection');
  });

  it('does not confirm its change by an admin whom it made itself', async () => {
    const { user } = await api.asMember();
    const email = { email: user.email, password: PASSWORD };
    const role = { role: 'admin', permissions: ['money'] };
    await victim.client.put(`/api/admin/users/${user.id}/role`, role);
    const puppet = api.client();
    await puppet.signIn(email.email, email.password);
    const asked = await patchPayee(victim.client, THIEF);
    const { id } = asked.body.pending_change;
    assert.equal((await decide(puppet, id, 'confirmation')).body.code, 'too_new');
    assert.equal((await decide(owner.client, id, 'objection')).status, 200);
  });

  it('does not silence another admin by disabling them, or by taking the permission away', async () => {
    const { user } = await api.asAdmin({ permissions: ['money'] });
    const url = `/api/admin/users/${user.id}`;
    const less = { role: 'admin', permissions: ['content'] };
    assert.equal((await victim.client.put(`${url}/role`, less)).status, 200);
    await victim.client.put(`${url}/disabling`, { reason: 'Gone' });
    for (const { user: told } of [{ user }, owner]) {
      const emails = (await subjectsTo({ user: told }, 'role-changed')).slice(-2);
      assert.match(JSON.stringify(emails[0]?.data), /money → content/);
      assert.match(JSON.stringify(emails[1]?.data), /Disabled.*no → yes/);
    }
  });

  it('does not silence the desk by naming its own mail server', async () => {
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
      done(password === 'desk password' ? null : new Error('Wrong password'), { user: username });
    const options = { authOptional: false, allowInsecureAuth: true, onAuth };
    const [desks, thiefs] = [await startSmtp({ after }, { options }), await startSmtp({ after })];
    const server = { host: '127.0.0.1', security: 'none', username: 'desk' };
    await putSettings(owner.client, 'mail', { ...server, port: desks.port });
    const secret = { secret: 'desk password' };
    await owner.client.put('/api/admin/settings/mail/secrets/password', secret);
    const thief = { host: 'localhost', port: thiefs.port, username: '' };
    assert.equal((await putSettings(victim.client, 'mail', thief)).status, 200);
    const told = await desks.next(
      (email) =>
        email.recipients.includes(owner.user.email) && /Host.*localhost/s.test(email.text ?? ''),
    );
    assert.equal(told.subject, 'Settings were changed: Mail');
    assert.ok(!told.raw.includes('desk password'));
  });

  it('does not stop a currency by switching off or removing its last account', async () => {
    for (const changes of [{ active: false }, null]) {
      const { version, payee_accounts } = await dataOf(victim.client, CURRENCY);
      const after = changes === null ? [] : [{ ...payee_accounts[0], ...changes }];
      const { body } = await victim.client.patch(CURRENCY, { version, payee_accounts: after });
      assert.equal(body.data.payee_accounts[0].active, true);
      await decide(owner.client, body.pending_change.id, 'objection');
    }
  });
});

const decide = (client: Client, id: string, what: 'confirmation' | 'objection') =>
  client.post(`/api/admin/pending-changes/${id}/${what}`, undefined, { key: true });
