/** The audit log for admins, and what must never be in it, in a log line or in an email. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openLog } from '#platform/log.ts';
import { PASSWORD, type Json } from '#test/client.ts';
import { eventually } from '#test/eventually.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { follow, setOut, startProviderDesk, userOf } from '#test/factories/provider-journey.ts';
import { goThrough } from '#test/fakes/provider-peer.ts';
import { addTotp, codeAt, firstStep } from '#test/factories/second-factor.ts';
import { SECOND } from '#kernel/clock.ts';
import type { EmailRow } from '../email/store.ts';
import { record } from './audit.ts';
import { sendRequestedReset } from '#features/auth/password/password-reset.ts';

const lines: string[] = [];
const log = openLog({ logLevel: 'debug' }, { write: (line: string) => void lines.push(line) });
const api = await startTestApi({ after }, { log });
const { client: admin } = await api.asAdmin();
const newEmail = () => `${randomUUID()}@example.com`;

describe('GET /api/admin/audit', () => {
  const read = (query: Record<string, string | number>) => admin.get('/api/admin/audit', { query });

  it('200: the newest first, by actor, action and subject, page by page', async () => {
    const { client, user } = await api.asMember({ name: 'Zoë Marlow' });
    await client.patch('/api/user', { locale: 'de' });
    const all = await read({ actor_id: user.id });
    assert.equal(all.status, 200, all.text);
    assert.deepEqual(
      all.body.data.map(({ action }: Json) => action),
      ['auth.profile_changed', 'auth.signup'],
    );
    const [event] = all.body.data;
    assert.deepEqual(
      [event.actor_kind, event.actor_name, event.ip, event.data],
      ['user', 'Zoë Marlow', '127.0.0.1', { changed: ['locale'] }],
    );
    assert.match(event.request_id, /./);
    const first = await read({ actor_id: user.id, per_page: 1 });
    const cursor = first.body.meta.next_cursor;
    const second = await read({ actor_id: user.id, per_page: 1, cursor });
    assert.equal(second.body.data[0].action, 'auth.signup');
    assert.equal(second.body.meta.next_cursor, null);

    const begun = { actor_id: user.id, action: 'auth.', per_page: 1 };
    const { body } = await read(begun);
    assert.equal(body.data[0].action, 'auth.profile_changed');
    const rest = await read({ ...begun, cursor: body.meta.next_cursor });
    assert.equal(rest.body.data[0].action, 'auth.signup');
    assert.equal(rest.body.meta.next_cursor, null);

    const count = async (query: Record<string, string>) =>
      (await read({ actor_id: user.id, ...query })).body.data.length;
    const today = new Date().toISOString().slice(0, 10);
    assert.equal(await count({ action: 'auth.' }), 2);
    assert.equal(await count({ action: 'auth.signup' }), 1);
    assert.equal(await count({ action: 'auth.sign' }), 0);
    assert.equal(await count({ action: 'auth.sign.' }), 0);
    assert.equal(await count({ subject_kind: 'user', subject_id: user.id }), 2);
    assert.equal(await count({ from: today, to: today }), 2);
    assert.equal(await count({ to: '2020-01-01' }), 0);
  });

  it('200: tells people apart whatever they call themselves, and to whom it was done', async () => {
    const { client, user } = await api.asMember({ name: 'The system' });
    await client.patch('/api/user', { locale: 'de' });
    const [own] = (await read({ actor_id: user.id })).body.data;
    assert.deepEqual(
      [own.actor_name, own.actor_email, own.actor_role],
      ['The system', user.email, 'user'],
    );
    const role = { role: 'admin', permissions: ['desk'] };
    assert.equal((await admin.put(`/api/admin/users/${user.id}/role`, role)).status, 200);
    const about = { subject_kind: 'user', subject_id: user.id, action: 'users.role_changed' };
    const [done] = (await read(about)).body.data;
    assert.deepEqual([done.subject_name, done.subject_email], ['The system', user.email]);
    assert.equal(done.actor_role, 'admin');
    const granted = { ...about, action: 'auth.admin_granted' };
    await record(api.db, { actor: 'system', origin: null, ...granted });
    const [system] = (await read({ subject_id: user.id, action: 'auth.admin_granted' })).body.data;
    assert.deepEqual(
      [system.actor_kind, system.actor_name, system.actor_email, system.actor_role],
      ['system', null, null, null],
    );
    await record(api.db, {
      actor: null,
      origin: null,
      action: 'x',
      subject_kind: 'user',
      subject_id: 'x',
    });
    const [odd] = (await read({ subject_kind: 'user', subject_id: 'x' })).body.data;
    assert.equal(odd.subject_name, null);
  });

  it('keeps names and addresses of others out of the copy of one’s own log', async () => {
    const { client } = await api.asAdmin();
    const { user } = await api.asMember({ name: 'Somebody Else' });
    await client.post(`/api/admin/users/${user.id}/password-reset`);
    const { text } = await client.get('/api/user/export');
    assert.ok(text.includes('users.password_reset_forced'));
    for (const word of ['Somebody Else', user.email]) assert.ok(!text.includes(word));
  });

  it('422: a cursor that is none; 401 and 403: for others', async () => {
    assert.equal((await read({ cursor: 'x' })).status, 422);
    const { client } = await api.asMember();
    const { client: clerk } = await api.asAdmin({ permissions: ['desk'] });
    assert.equal((await api.client().get('/api/admin/audit')).status, 401);
    assert.equal((await client.get('/api/admin/audit')).status, 403);
    assert.equal((await clerk.get('/api/admin/audit')).body.code, 'permission_missing');
  });
});

describe('secrets', () => {
  it('are in no log line, audit row, email text or job', async () => {
    const canary = (what: string) => `canary-${what}-${randomUUID()}`;
    const passwords = { first: canary('first'), second: canary('second'), third: canary('third') };
    const wrong = canary('wrong');
    const [email, newAddress] = [newEmail(), newEmail()];
    const { client, user } = await api.asMember({
      email,
      password: passwords.first,
      verified: false,
    });
    const verification = await secretOf(api, email, 'verify-address');
    await client.post('/api/auth/verify-email', { token: verification });
    await client.post('/api/auth/verify-email', { token: canary('token') });
    await api.client().post('/api/auth/signin', { email, password: wrong });
    await api.client().post('/api/auth/signin', { email: wrong, password: wrong });
    await client.post('/api/user/confirmation', { password: wrong });
    await client.post('/api/user/confirmation', { password: passwords.first });
    await client.post('/api/user/confirmation', { code: 'canary-code' });
    await client.put('/api/user/password', {
      current_password: passwords.first,
      password: passwords.second,
    });
    await client.put('/api/user/email', { email: newAddress, current_password: passwords.second });
    const change = await secretOf(api, newAddress, 'verify-new-address');
    await client.post('/api/auth/verify-email', { token: change });
    await api.client().post('/api/auth/forgot-password', { email: newAddress });
    await sendRequestedReset(api.deps, { email: newAddress, ip: '::1', requestId: 'x' });
    const reset = await secretOf(api, newAddress, 'reset-password');
    const body = { token: reset, password: passwords.third };
    assert.equal((await api.client().post('/api/auth/reset-password', body)).status, 204);
    await api.client().post('/api/auth/reset-password', body);

    const emails = [...(await emailsTo(api, email)), ...(await emailsTo(api, newAddress))];
    assert.ok(emails.length >= 6);
    const written = await writtenBy(api, emails);
    assert.ok(written.audit.includes(user.id));
    assert.ok(written.log.includes('/api/auth/reset-password'));
    const cookies = [...client.jar.values()];
    holdsNone(written, ['canary', PASSWORD, verification, change, reset, ...cookies]);
    for (const mail of [email, newAddress]) {
      assert.ok(!written.audit.includes(mail), 'The log contains no address.');
    }
  });

  it('stand nowhere of a second step either', async () => {
    const email = newEmail();
    const { client, user } = await api.asMember({ email });
    const { secret, recoveryCodes } = await addTotp(client, api.clock.now());
    api.clock.advance(30 * SECOND);
    const code = codeAt(secret, api.clock.now());
    const canary = `canary-${randomUUID()}`;
    const [recoveryCode = ''] = recoveryCodes;
    for (const answer of [
      { recovery_code: canary },
      { recovery_code: recoveryCode },
      { recovery_code: recoveryCode },
      { code },
    ]) {
      const browser = api.client();
      await firstStep(browser, email);
      await browser.post('/api/auth/two-factor-challenge', answer);
    }
    const written = await writtenBy(api, await emailsTo(api, email));
    for (const action of ['auth.totp_added', 'auth.second_factor_failed'])
      assert.ok(written.audit.includes(action), action);
    assert.ok(written.emails.includes('A recovery code was used'));
    assert.ok(written.audit.includes(user.id));
    const bare = recoveryCodes.map((each) => each.replaceAll('-', ''));
    holdsNone(written, [secret, canary, ...recoveryCodes, ...bare]);
    // Six digits may stand anywhere, so the code is looked for as a word of its own.
    for (const text of Object.values(written)) {
      assert.doesNotMatch(text, new RegExp(`"${code}"`));
    }
  });

  it('stand nowhere of what a provider and this service say to one another', async () => {
    const desk = await startProviderDesk({ after }, { log });
    const { api: there, peers } = desk;
    for (const provider of ['google', 'facebook'] as const) {
      const { subject, email } = desk.knownTo(provider);
      const browser = there.client();
      const location = await setOut(browser, provider);
      const back = await goThrough(location, subject);
      await follow(browser, back);
      const user = await userOf(browser);
      // Once more, which is refused; and with a code that is none.
      await follow(browser, back);
      const forged = new URL(back);
      forged.searchParams.set('code', 'canary-code');
      await follow(browser, forged);
      const said = (url: URL | string, name: string) => new URL(url).searchParams.get(name) ?? '';
      const written = await writtenBy(there, await emailsTo(there, email));
      assert.ok(written.audit.includes(user.id));
      assert.ok(written.log.includes('/callback'));
      const name = `${provider.toUpperCase()}_CLIENT_SECRET`;
      const secrets = [
        'canary',
        said(back, 'code'),
        said(back, 'state'),
        peers[provider].environment[name] ?? '',
        ...browser.jar.values(),
      ];
      holdsNone(written, secrets);
      assert.equal(said(location, 'state'), said(back, 'state'));
    }
  });
});

/** All rows and log lines up to now: lines of requests are written some milliseconds after their answers. */
async function writtenBy({ db, deps, client }: TestApi, emails: readonly EmailRow[]) {
  const { headers } = await client().get('/api/unknown');
  await eventually('the last request is logged', () =>
    lines.some((line) => line.includes(String(headers['x-request-id']))),
  );
  const audit = await db.selectFrom('audit_events').selectAll().execute();
  const jobs = await deps.sql`select data, output from jobs.job_common`;
  return {
    audit: JSON.stringify(audit),
    emails: JSON.stringify(emails.map(({ data, subject }) => ({ data, subject }))),
    jobs: JSON.stringify(jobs),
    log: lines.join(''),
  };
}

function holdsNone(written: Readonly<Record<string, string>>, secrets: readonly string[]): void {
  for (const secret of secrets)
    assert.ok(secret.length >= 6, `"${secret}" is too short to be one.`);
  for (const [where, text] of Object.entries(written)) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} in ${where}`);
  }
}
