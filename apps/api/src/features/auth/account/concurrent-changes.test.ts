/**
 * Requests that have passed their guards or proofs when, before they write, the user's sessions end, the proof is
 * removed, or the account is disabled or deleted. They must have no effect.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Authenticator } from '#test/fakes/authenticator.ts';
import { eventually } from '#test/eventually.ts';
import { PASSWORD, type Answer, type Client, type Json } from '#test/client.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { follow, setOut, startProviderDesk } from '#test/factories/provider-journey.ts';
import { goThrough } from '#test/fakes/provider-peer.ts';
import { addPasskey, addTotp, codeAt, firstStep } from '#test/factories/second-factor.ts';
import { MINUTE } from '#kernel/clock.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { deletePersonalData } from './deletion.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { sendRequestedReset } from '../password/password-reset.ts';
import { hashPassword } from '../password/passwords.ts';
import { removeAllFactors } from '../second-factor/second-factor.ts';
import { lockUser } from '../store.ts';

const { api, knownTo } = await startProviderDesk({ after });

/** Until so many requests wait for the locked row. */
const untilWaiting = (requests: number) =>
  eventually('the request waits for the row', async () => {
    const waiting = await api.deps.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length >= requests;
  });

/** Locks the user's row until the request waits for it, then runs `meanwhile`. */
async function withConcurrent<T>(
  { id }: Json,
  request: () => Promise<T>,
  meanwhile: (tx: Tx) => Promise<unknown> = (tx) => endSessionsOf(tx, id),
  hold: (tx: Tx) => Promise<unknown> = (tx) => lockUser(tx, id),
): Promise<T> {
  let answer: Promise<T> | undefined;
  await transaction(api.db, async (tx) => {
    await hold(tx);
    answer = request();
    await untilWaiting(1);
    await meanwhile(tx);
  });
  return answer ?? assert.fail();
}

const rowOf = ({ id }: Json) =>
  api.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const isOut = (answer: Answer) => assert.equal(answer.status, 401, answer.text);

describe('a request whose session ends before it writes', () => {
  it('does not turn a second factor on', async () => {
    const { client, user } = await api.asMember();
    const begun = await client.post('/api/user/two-factor/totp');
    const code = codeAt(begun.body.data.secret, api.clock.now());
    isOut(
      await withConcurrent(user, () =>
        client.post('/api/user/two-factor/totp/confirmation', { code }),
      ),
    );
    assert.equal((await rowOf(user)).two_factor_at, null);
  });

  it('does not ask for another address', async () => {
    const { client, user } = await api.asMember();
    const email = `${randomUUID()}@example.com`;
    isOut(await withConcurrent(user, () => client.put('/api/user/email', { email })));
    assert.equal((await rowOf(user)).pending_email, null);
  });

  it('does not link a provider', async () => {
    const { client, user } = await api.asMember();
    const { subject } = knownTo('google');
    const back = await goThrough(await setOut(client, 'google', { intent: 'link' }), subject);
    const place = await withConcurrent(user, () => follow(client, back));
    assert.equal(place, '/signin?trouble=failed');
    const rows = api.db.selectFrom('identities').selectAll().where('user_id', '=', user.id);
    assert.deepEqual(await rows.execute(), []);
  });
});

describe('a change of password', () => {
  const change = { current_password: PASSWORD, password: 'a purse full of crowns' };

  it('starts no session in an account that is disabled meanwhile', async () => {
    const { client, user } = await api.asMember();
    const answer = await withConcurrent(
      user,
      () => client.put('/api/user/password', change),
      async (tx) => {
        const disabled_at = api.clock.now();
        await tx.updateTable('users').set({ disabled_at }).where('id', '=', user.id).execute();
        await endSessionsOf(tx, user.id);
      },
    );
    isOut(answer);
    await api.db
      .updateTable('users')
      .set({ disabled_at: null })
      .where('id', '=', user.id)
      .execute();
    isOut(await client.get('/api/user'));
  });
});

describe('a link for a new password', () => {
  it('is invalid after another link has set the same password meanwhile', async () => {
    const { user } = await api.asMember();
    await sendRequestedReset(api.deps, { email: user.email, ip: '::1', requestId: 'x' });
    const token = await secretOf(api, user.email, 'reset-password');
    const password = 'a purse full of crowns';
    const password_hash = await hashPassword(password);
    const answer = await withConcurrent(
      user,
      () => api.client().post('/api/auth/reset-password', { token, password }),
      async (tx) => {
        await tx.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute();
        await tx.deleteFrom('password_resets').where('user_id', '=', user.id).execute();
      },
      // Blocks reads too.
      (tx) => sql`lock table users in access exclusive mode`.execute(tx),
    );
    assert.deepEqual([answer.status, answer.body.code], [409, 'link_invalid']);
  });
});

describe('the deletion of one’s own account', () => {
  it('changes nothing when the session ends meanwhile', async () => {
    const { client, user } = await api.asMember();
    const before = await rowOf(user);
    isOut(await withConcurrent(user, () => client.leave(user.email)));
    assert.deepEqual(await rowOf(user), before);
  });
});

describe('an account that is deleted meanwhile', () => {
  const deletion =
    ({ id }: Json) =>
    (tx: Tx) =>
      deletePersonalData(api.deps, tx, id);

  it('stores no secret of an authenticator app', async () => {
    const { client, user } = await api.asMember();
    const begin = () => client.post('/api/user/two-factor/totp');
    isOut(await withConcurrent(user, begin, deletion(user)));
    const rows = api.db.selectFrom('totp_factors').selectAll().where('user_id', '=', user.id);
    assert.deepEqual(await rows.execute(), []);
  });

  it('gets no email to confirm its address', async () => {
    const { client, user } = await api.asMember({ verified: false });
    api.clock.advance(MINUTE);
    const resend = () => client.post('/api/auth/email/verification-notification');
    isOut(await withConcurrent(user, resend, deletion(user)));
    assert.equal((await rowOf(user)).verification_sent_at, null);
    assert.deepEqual(await emailsTo(api, `${user.id}@deleted.invalid`), []);
  });

  it('does not get another name', async () => {
    const { client, user } = await api.asMember();
    const rename = () => client.patch('/api/user', { name: 'Still Here' });
    isOut(await withConcurrent(user, rename, deletion(user)));
    assert.equal((await rowOf(user)).name, 'Deleted account');
  });

  it('is not marked as seen afterwards', async () => {
    const { client, user } = await api.asMember();
    api.clock.advance(2 * MINUTE);
    await withConcurrent(user, () => client.get('/api/user'), deletion(user));
    assert.equal((await rowOf(user)).last_seen_at, null);
  });
});

describe('a sign-in by password', () => {
  it('fails with a password that is replaced meanwhile', async () => {
    const { user } = await api.asMember();
    const password_hash = await hashPassword('a purse full of crowns');
    const browser = api.client();
    const answer = await withConcurrent(
      user,
      () => browser.post('/api/auth/signin', { email: user.email, password: PASSWORD }),
      (tx) => tx.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute(),
    );
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['email']]);
    isOut(await browser.get('/api/user'));
  });
});

describe('the second step of a sign-in', () => {
  it('fails with a factor that is removed meanwhile, and locks the user first', async () => {
    const { client, user } = await api.asMember();
    const { secret } = await addTotp(client, api.clock.now());
    const browser = api.client();
    await firstStep(browser, user.email);
    api.clock.advance(MINUTE);
    const code = codeAt(secret, api.clock.now());
    const answer = await withConcurrent(
      user,
      () => browser.post('/api/auth/two-factor-challenge', { code }),
      async (tx) => {
        // Else it would wait for whoever has the person, and they for it.
        const free = await tx
          .selectFrom('sign_in_challenges')
          .select('session_hash')
          .where('user_id', '=', user.id)
          .forUpdate()
          .skipLocked()
          .execute();
        assert.equal(free.length, 1);
        await removeAllFactors(api.deps, tx, await rowOf(user));
      },
    );
    assert.deepEqual([answer.status, answer.body.code], [409, 'sign_in_again']);
    isOut(await browser.get('/api/user'));
  });
});

describe('a sign-in by a passkey alone', () => {
  const signIn = async (device: Authenticator, browser: Client) => {
    const options = await browser.post('/api/auth/passkey-challenge', { alone: true });
    const passkey = device.get(options.body.data);
    return () => browser.post('/api/auth/passkey-signin', { passkey });
  };

  it('fails with a passkey that its owner removes meanwhile', async () => {
    const { client, user } = await api.asMember();
    const { device } = await addPasskey(client);
    await addPasskey(client);
    const [{ id }] = (await client.get('/api/user/two-factor')).body.data.passkeys;
    const browser = api.client();
    const attempt = await signIn(device, browser);
    let removal: Promise<Answer> | undefined;
    const answer = await withConcurrent(
      user,
      async () => {
        removal = client.delete(`/api/user/passkeys/${id}`);
        await untilWaiting(1);
        return attempt();
      },
      () => untilWaiting(2),
    );
    assert.equal((await removal)?.status, 204);
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['passkey']]);
    isOut(await browser.get('/api/user'));
  });

  it('fails with passkeys that the desk removes meanwhile', async () => {
    const { client, user } = await api.asMember();
    const { device } = await addPasskey(client);
    const browser = api.client();
    const answer = await withConcurrent(user, await signIn(device, browser), async (tx) =>
      removeAllFactors(api.deps, tx, await rowOf(user)),
    );
    assert.equal(answer.status, 422, answer.text);
    isOut(await browser.get('/api/user'));
  });
});

describe('the end of one’s other sessions', () => {
  it('leaves one of two sessions that end each other at the same time', async () => {
    const { client, user } = await api.asMember();
    const other = api.client();
    await other.signIn(user.email);
    const both = await withConcurrent(
      user,
      () => Promise.all([client, other].map((each) => each.delete('/api/user/sessions'))),
      async () => {},
    );
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [204, 401]);
    const left = await Promise.all([client, other].map((each) => each.get('/api/user')));
    assert.deepEqual(left.map(({ status }) => status).toSorted(), [200, 401]);
  });

  for (const one of [false, true]) {
    it(`ends ${one ? 'not one' : 'none'} of them when its own session ended meanwhile`, async () => {
      const { client, user } = await api.asMember();
      const other = api.client();
      await other.signIn(user.email);
      const [newest, ending] = (await other.get('/api/user/sessions')).body.data;
      isOut(
        await withConcurrent(
          user,
          () => client.delete(`/api/user/sessions${one ? `/${newest.id}` : ''}`),
          (tx) => tx.deleteFrom('sessions').where('id', '=', ending.id).execute(),
        ),
      );
      assert.equal((await other.get('/api/user')).status, 200);
    });
  }
});
