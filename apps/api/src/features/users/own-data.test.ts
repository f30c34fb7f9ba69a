/** Taking one's data along, and being forgotten. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { PASSWORD } from '#test/client.ts';
import { act, done, receive, refused } from '#test/factories/acts.ts';
import {
  approve,
  cancel,
  claim,
  complete,
  create,
  startTestDesk,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { purgeRequests } from '#features/auth/password/password-reset.ts';
import { retentionTask } from '../exchanges/retention.ts';

const { api, admin } = await startTestDesk({ after });

const fieldsOf = async (number: string) =>
  api.db
    .selectFrom('exchanges')
    .select(['payout_fields', 'send_minor', 'state'])
    .where('number', '=', number)
    .executeTakeFirstOrThrow();

/** How many jobs hold this address. */
const jobsOf = async (email: string) =>
  (await api.deps.sql`select id from jobs.job_common where data->>'email' = ${email}`).length;

/** A request for a new password that waits, one that is done, and one that is a dead email. */
async function askAndSettle(email: string): Promise<void> {
  const ask = async () =>
    assert.equal((await api.client().post('/api/auth/forgot-password', { email })).status, 202);
  await ask();
  await api.deps.sql`update jobs.job_common set state = 'completed', completed_on = now()
    where singleton_key = ${email}`;
  await ask();
  await api.deps.sql`update jobs.job_common set name = 'dead-letters', source_name = name,
    policy = 'standard' where singleton_key = ${email} and state = 'created'`;
  await ask();
}

describe('GET /api/user/export', () => {
  it('302: a browser that follows a link is redirected when signed out or too frequent; others get JSON', async () => {
    const strict = await startTestApi({ after }, { env: { THROTTLE_SCALE: '1' } });
    const { client } = await strict.asMember();
    const link = { headers: { accept: 'text/html' } };
    const guest = await strict.client().get('/api/user/export', link);
    assert.match(String(guest.headers['location']), /\/signin\?next=\/account&notice=signed-out$/);
    let last = await client.get('/api/user/export', link);
    for (let n = 0; n < 20 && last.status === 200; n += 1)
      last = await client.get('/api/user/export', link);
    assert.match(String(last.headers['location']), /\/account\?trouble=too_many$/);
    assert.deepEqual([guest.status, last.status, last.text], [302, 302, '']);
    assert.equal((await client.get('/api/user/export')).status, 429);
    assert.equal((await strict.client().get('/api/user/export')).status, 401);
  });

  it('200: a file with profile, sign-in methods, sessions, exchanges and log, without secrets', async () => {
    const { client, user } = await api.asMember();
    const exchange = await create(client);
    const answer = await client.get('/api/user/export');
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers['content-disposition']), /attachment; filename="account/);
    assert.equal(answer.body.profile.email, user.email);
    assert.equal(answer.body.sign_in_methods.password, true);
    assert.equal(answer.body.sessions.length, 1);
    assert.equal(answer.body.exchanges[0].number, exchange.number);
    assert.equal(answer.body.exchanges[0].timeline.length, 1);
    assert.ok(answer.body.log.some(({ action }: { action: string }) => action === 'auth.signup'));
    assert.doesNotMatch(answer.text, /argon|hash|sealed|\/status\//);
    assert.equal((await api.client().get('/api/user/export')).status, 401);
  });
});

describe('the emails and files in the export', () => {
  it('are named without their text, and with the place of each file', async () => {
    const { client } = await api.asMember();
    const exchange = await submitted(client);
    await create((await api.asMember()).client);
    const { emails, proof_files: files } = (await client.get('/api/user/export')).body;
    assert.deepEqual(
      emails.map(({ kind, state }: Record<string, string>) => [kind, state]),
      [
        ['exchange-proof-received', 'waiting'],
        ['exchange-created', 'waiting'],
        ['verify-address', 'waiting'],
      ],
    );
    assert.deepEqual(Object.keys(emails[0]).toSorted(), [
      'created_at',
      'kind',
      'recipient',
      'sent_at',
      'state',
      'subject',
    ]);
    assert.equal(files.length, 1);
    assert.equal(files[0].exchange, exchange.number);
    const { pathname, origin } = new URL(files[0].download);
    assert.equal(origin, 'http://localhost:8000');
    const file = await client.get(pathname);
    assert.equal(file.status, 200);
    assert.equal(file.headers['content-type'], 'image/jpeg');
    assert.equal((await (await api.asMember()).client.get(pathname)).status, 404);
  });
});

describe('DELETE /api/user', () => {
  it('asks for the present address of the account, without which nothing happens', async () => {
    const { user: other } = await api.asMember();
    const { client, user } = await api.asMember();
    const refused = await client.delete('/api/user', { email: other.email });
    assert.equal(refused.status, 422);
    assert.deepEqual(Object.keys(refused.body.errors), ['email']);
    assert.equal((await client.delete('/api/user')).status, 422);
    assert.equal((await client.get('/api/user')).status, 200);
    const typed = ` ${user.email.toUpperCase()} `;
    assert.equal((await client.delete('/api/user', { email: typed })).status, 204);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('204: the person goes, the records of money stay', async () => {
    const { client, user } = await api.asMember({ name: 'Philippa Unforgettable' });
    const unpaid = await create(client);
    await upload(client, unpaid.number);
    await cancel(client, unpaid);
    const paid = await claim(admin, await submitted(client));
    const done = await complete(admin, await approve(admin, paid));
    const files = () =>
      readdirSync(join(api.deps.config.dataDir, 'public', 'transaction-proofs')).length;
    const before = files();

    assert.equal((await client.leave()).status, 204);
    assert.equal((await client.get('/api/user')).status, 401);
    const body = { email: user.email, password: PASSWORD };
    assert.equal((await api.client().post('/api/auth/signin', body)).status, 422);

    const row = await api.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    assert.ok(!JSON.stringify(row).includes(user.email));
    assert.ok(!JSON.stringify(row).includes('Unforgettable'));
    const erased = await fieldsOf(unpaid.number);
    assert.deepEqual(erased.payout_fields, []);
    assert.ok(erased.send_minor > 0n);
    assert.equal(files(), before - 2, 'original and copy of the unpaid exchange’s proof are gone');
    assert.notDeepEqual((await fieldsOf(done.number)).payout_fields, []);

    const emails = await emailsTo(api, user.email);
    assert.deepEqual(
      emails.map(({ kind }) => kind),
      ['account-deleted'],
    );
    for (const rest of ['', '/sessions'])
      assert.equal((await admin.get(`/api/admin/users/${user.id}${rest}`)).status, 404);
    const enabled = await admin.delete(`/api/admin/users/${user.id}/disabling`);
    assert.equal(enabled.status, 404, 'Nothing brings it back.');
    const desk = await admin.get(`/api/admin/exchanges/${done.number}`);
    assert.equal(desk.status, 200, desk.text);
    assert.equal(desk.body.data.customer.name, 'Deleted account');

    // The address is free again, for somebody new.
    await api.asMember({ email: user.email });

    const detail = await retentionTask(api.deps).run(
      new Date(Date.now() + 1800 * DAY),
      AbortSignal.any([]),
    );
    assert.equal(detail, '0 erased');
    assert.equal(
      await retentionTask(api.deps).run(new Date(Date.now() + 1900 * DAY), AbortSignal.any([])),
      '1 erased',
    );
    assert.deepEqual((await fieldsOf(done.number)).payout_fields, []);
  });

  it('409: with an open exchange, and for the last admin', async () => {
    const { client } = await api.asMember();
    await create(client);
    const open = await client.leave();
    assert.deepEqual([open.status, open.body.code], [409, 'exchanges_open']);
    assert.equal((await client.get('/api/user')).status, 200);
    const last = await admin.leave();
    assert.deepEqual([last.status, last.body.code], [409, 'last_admin']);
  });

  it('409: while a refund is unpaid, also of an exchange that is completed', async () => {
    const { client } = await api.asMember();
    const paid = await claim(admin, await submitted(client));
    const completed = await complete(admin, await approve(admin, paid));
    const owed = await receive(admin, completed, '5');
    await refused(client.leave(), 'exchanges_open');
    const body = { reference: 'BACK', account: 'Bank of Ann' };
    await done(act(admin, owed, `/refunds/${owed.refunds[0].id}/payment`, body));
    assert.equal((await client.leave()).status, 204);
  });

  it('leaves nothing half done when an exchange is created at the same moment', async () => {
    const { client, user } = await api.asMember();
    const [created, deleted] = await Promise.all([
      create(client).then(
        () => true,
        () => false,
      ),
      client.leave(),
    ]);
    const { count } = await api.db
      .selectFrom('exchanges')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow();
    assert.equal(count, created ? 1 : 0);
    assert.equal(deleted.status, created ? 409 : 204);
  });

  it('leaves no request for an email behind, nor what became of it', async () => {
    const { client, user } = await api.asMember();
    const other = 'never-a-customer@example.net';
    await askAndSettle(user.email);
    await askAndSettle(other);
    assert.deepEqual([await jobsOf(user.email), await jobsOf(other)], [3, 3]);
    assert.equal((await client.leave()).status, 204);
    assert.deepEqual([await jobsOf(user.email), await jobsOf(other)], [0, 3]);

    const inAWhile = (ms: number) => purgeRequests(api.deps, new Date(Date.now() + ms));
    await inAWhile(9 * MINUTE);
    assert.equal(await jobsOf(other), 3);
    await inAWhile(11 * MINUTE);
    assert.equal(await jobsOf(other), 2, 'what is done goes, what waits stays');
    await inAWhile(DAY + MINUTE);
    assert.equal(await jobsOf(other), 1, 'a dead letter stays for a day');
  });

  it('403: only shortly after a confirmation; 401: for a guest', async () => {
    const there = await startTestApi({ after });
    const { client } = await there.asMember();
    there.clock.advance(10 * MINUTE);
    assert.equal((await client.leave()).body.code, 'confirmation_required');
    assert.equal((await there.client().leave()).status, 401);
  });
});
