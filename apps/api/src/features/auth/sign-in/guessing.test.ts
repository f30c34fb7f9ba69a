import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { emailsTo, secretOf } from '#test/factories/emails.ts';
import { audit } from '#features/audit/routes.ts';
import { sendLink, BROWSER_LINKS } from './known-browsers.ts';
import { auth } from '../routes.ts';

const KIND = 'allow-browser';
const COOKIE = 'cambist_browser';
/** A fifth of all limits: ten failures close an account, and a known browser has four. */
const FIFTH = '0.2';

/** An API whose clock stands still. */
async function startThere(scale = FIFTH): Promise<TestApi> {
  const env = { THROTTLE_SCALE: scale, TRUSTED_PROXIES: '127.0.0.1' };
  const there = await startTestApi({ after }, { features: [audit, auth], env });
  there.clock.set(new Date());
  return there;
}

const newEmail = () => `${randomUUID()}@example.com`;
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const trying = (client: Client, email: string, password: string, ip: string) =>
  client.post('/api/auth/signin', { email, password }, from(ip));

/** Wrong passwords from many networks, one from each. */
async function attack(
  there: TestApi,
  email: string,
  { networks = 12, subnet = '198.51.100' } = {},
): Promise<void> {
  const attacker = there.client();
  for (let host = 1; host <= networks; host += 1) {
    const answer = await trying(attacker, email, 'wrong', `${subnet}.${host}`);
    assert.equal(answer.status, 422);
  }
}

/** Runs the waiting jobs for links. */
async function runLinkJobs(there: TestApi): Promise<number> {
  const waiting = await there.deps.sql<{ id: string; data: unknown }[]>`
    select id, data from jobs.job where name = ${BROWSER_LINKS} and state = 'created'`;
  for (const { id, data } of waiting) {
    await sendLink(there.deps, data);
    await there.deps.sql`delete from jobs.job where id = ${id}`;
  }
  return waiting.length;
}

const linksTo = async (there: TestApi, email: string) =>
  (await emailsTo(there, email)).filter(({ kind }) => kind === KIND);

/** An attacked account, whose owner has got a link. */
async function attacked(there: TestApi) {
  const { client: known, user } = await there.asMember();
  await attack(there, user.email);
  await runLinkJobs(there);
  const token = await secretOf(there, user.email, KIND);
  return { known, email: user.email as string, token };
}

describe('an account that is attacked from many networks', () => {
  it('refuses the right password of an unknown browser like a wrong one', async () => {
    const there = await startThere('1');
    const { client: known, user } = await there.asMember();
    await attack(there, user.email, { networks: 60 });
    const right = await trying(there.client(), user.email, PASSWORD, '203.0.113.61');
    const wrong = await trying(there.client(), user.email, 'wrong', '203.0.113.62');
    assert.equal(right.status, 422);
    assert.deepEqual(right.body, wrong.body);
    const before = await trying(there.client(), newEmail(), 'wrong', '203.0.113.63');
    assert.deepEqual(right.body, before.body);

    // Nor does a cookie of somebody else's open it.
    const { client: stranger } = await there.asMember();
    assert.equal((await trying(stranger, user.email, PASSWORD, '203.0.113.64')).status, 422);
    // The browser that the account was opened in goes on, from any network.
    assert.equal((await trying(known, user.email, PASSWORD, '203.0.113.65')).status, 200);
    assert.equal((await trying(known, user.email, PASSWORD, '203.0.113.66')).status, 200);
  });

  it('opens again after 15 minutes, until the limit of a day is reached', async () => {
    const there = await startThere();
    const { user } = await there.asMember();
    const right = async () =>
      (await trying(there.client(), user.email, PASSWORD, '203.0.113.1')).status;
    await attack(there, user.email);
    assert.equal(await right(), 422);
    there.clock.advance(15 * MINUTE);
    assert.equal(await right(), 200);
    await attack(there, user.email);
    there.clock.advance(15 * MINUTE);
    assert.equal(await right(), 422);
    there.clock.advance(DAY);
    assert.equal(await right(), 200);
  });

  it('treats a known browser with too many failures as unknown', async () => {
    const there = await startThere();
    const { client: known, user } = await there.asMember();
    await attack(there, user.email);
    for (let count = 1; count <= 4; count += 1)
      await trying(known, user.email, 'wrong', `192.0.2.${count}`);
    assert.equal((await trying(known, user.email, PASSWORD, '192.0.2.99')).status, 422);
  });

  it('is opened by a password reset', async () => {
    const there = await startThere();
    const { user } = await there.asMember();
    await attack(there, user.email);
    const asked = await there.client().post('/api/auth/forgot-password', { email: user.email });
    assert.equal(asked.status, 202);
    const { sendRequestedReset } = await import('../password/password-reset.ts');
    await sendRequestedReset(there.deps, {
      email: user.email,
      ip: '203.0.113.1',
      requestId: 'test',
    });
    const token = await secretOf(there, user.email, 'reset-password');
    const password = 'a purse full of crowns';
    const reset = await there.client().post('/api/auth/reset-password', { token, password });
    assert.equal(reset.status, 204);
    assert.equal((await trying(there.client(), user.email, password, '203.0.113.1')).status, 200);
  });

  it('stays closed while many other addresses are tried', async () => {
    const { openAttempts } = await import('./attempts.ts');
    const attempts = openAttempts(() => new Date(0), 1);
    const guess = (email: string, ip: string) => ({ email, ip, browser: null });
    for (let host = 1; host <= 50; host += 1)
      attempts.failed(guess('alex@example.com', `198.51.100.${host}`));
    for (let count = 0; count < 21_000; count += 1)
      attempts.failed(guess(`${count}@example.com`, `10.0.${count >> 8}.${count & 255}`));
    assert.equal(attempts.isClosed(guess('alex@example.com', '203.0.113.1')), true);
    assert.equal(attempts.isClosed(guess('20999@example.com', '203.0.113.1')), false);
  });
});

describe('the link by email', () => {
  it('can be requested again at once after a new password', async () => {
    const { openAttempts } = await import('./attempts.ts');
    const attempts = openAttempts(() => new Date(0), 1);
    assert.equal(attempts.mayAskForLink('alex@example.com'), true);
    assert.equal(attempts.mayAskForLink('alex@example.com'), false);
    attempts.proved('alex@example.com');
    assert.equal(attempts.mayAskForLink('alex@example.com'), true);
  });

  it('is sent once an hour, and an address without an account is answered the same', async () => {
    const there = await startThere();
    const { user } = await there.asMember();
    const unknown = newEmail();
    for (const email of [user.email, unknown]) {
      await attack(there, email);
      const answer = await trying(there.client(), email, PASSWORD, '203.0.113.61');
      assert.equal(answer.status, 422);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    assert.equal(await runLinkJobs(there), 2);
    assert.equal((await linksTo(there, user.email)).length, 1);
    assert.equal((await emailsTo(there, unknown)).length, 0);

    await trying(there.client(), user.email, PASSWORD, '203.0.113.62');
    assert.equal(await runLinkJobs(there), 0);
    // Another process counts for itself; the account has had its link.
    await sendLink(there.deps, { email: user.email, ip: '203.0.113.1', requestId: 'test' });
    assert.equal((await linksTo(there, user.email)).length, 1);

    there.clock.advance(HOUR);
    await attack(there, user.email, { subnet: '198.51.101' });
    assert.equal(await runLinkJobs(there), 1);
    assert.equal((await linksTo(there, user.email)).length, 2);
  });

  it('makes only the browser known that confirms it, once', async () => {
    const there = await startThere();
    const { email, token } = await attacked(there);
    const browser = there.client();
    const other = there.client();

    // Looking changes nothing, however often.
    for (let count = 0; count < 2; count += 1) {
      const looked = await browser.post('/api/auth/known-browsers/check', { token });
      assert.equal(looked.status, 204);
    }
    assert.equal((await browser.get('/api/auth/known-browsers')).status, 405);
    assert.equal((await trying(browser, email, PASSWORD, '203.0.113.70')).status, 422);

    const allowed = await browser.post('/api/auth/known-browsers', { token });
    assert.equal(allowed.status, 204);
    assert.match(
      String(allowed.headers['set-cookie']),
      /^cambist_browser=[\w-]{32}; .*HttpOnly; SameSite=Lax$/,
    );
    // Nobody is signed in by it.
    assert.equal((await browser.get('/api/user')).status, 401);
    const again = await other.post('/api/auth/known-browsers', { token });
    assert.deepEqual([again.status, again.body.code], [409, 'link_invalid']);
    assert.equal((await trying(other, email, PASSWORD, '203.0.113.71')).status, 422);
    assert.equal((await trying(browser, email, 'wrong', '203.0.113.72')).status, 422);
    assert.equal((await trying(browser, email, PASSWORD, '203.0.113.73')).status, 200);
  });

  it('works for no other account', async () => {
    const there = await startThere();
    const { token } = await attacked(there);
    const { user: victim } = await there.asMember();
    await attack(there, victim.email, { subnet: '198.51.101' });
    const browser = there.client();
    assert.equal((await browser.post('/api/auth/known-browsers', { token })).status, 204);
    assert.equal((await trying(browser, victim.email, PASSWORD, '203.0.113.61')).status, 422);
  });

  it('expires, and ends with the password', async () => {
    const there = await startThere();
    const { token } = await attacked(there);
    const changed = await attacked(there);
    const change = { current_password: PASSWORD, password: 'a purse full of crowns' };
    assert.equal((await changed.known.put('/api/user/password', change)).status, 200);
    const follow = (link: string) =>
      there.client().post('/api/auth/known-browsers', { token: link });
    assert.equal((await follow(changed.token)).body.code, 'link_invalid');
    there.clock.advance(2 * HOUR);
    assert.equal((await follow(token)).body.code, 'link_expired');
  });

  it('is not sent to a disabled account, or one without a password', async () => {
    const there = await startThere();
    for (const change of [{ disabled_at: new Date() }, { password_hash: null }]) {
      const { user } = await there.asMember();
      await there.db.updateTable('users').set(change).where('id', '=', user.id).execute();
      await sendLink(there.deps, {
        email: user.email,
        ip: '203.0.113.1',
        requestId: 'test',
      });
      assert.equal((await linksTo(there, user.email)).length, 0);
    }
  });
});

describe('the cookie of a known browser', () => {
  it('is not adopted when another account set it', async () => {
    const there = await startThere();
    const { user: thief, client: theirs } = await there.asMember();
    const foreign = theirs.jar.get(COOKIE) ?? '';
    const { user } = await there.asMember();
    const browser = there.client();
    browser.jar.set(COOKIE, foreign);
    await trying(browser, user.email, PASSWORD, '203.0.113.1');
    const [own, other] = (browser.jar.get(COOKIE) ?? '').split('.');
    assert.notEqual(own, foreign);
    assert.equal(other, foreign);
    await attack(there, user.email);
    assert.equal((await trying(theirs, user.email, PASSWORD, '203.0.113.2')).status, 422);
    // The browser is known to both accounts.
    await attack(there, thief.email, { subnet: '198.51.101' });
    assert.equal((await trying(browser, user.email, PASSWORD, '203.0.113.3')).status, 200);
    assert.equal((await trying(browser, thief.email, PASSWORD, '203.0.113.4')).status, 200);
  });

  it('has the __Host- prefix when the session’s has it', async () => {
    const secure = {
      SESSION_SECURE_COOKIE: 'true',
      FRONTEND_URL: 'https://desk.test',
      APP_URL: 'https://desk.test',
    };
    const there = await startTestApi({ after }, { features: [audit, auth], env: secure });
    const { client } = await there.asMember();
    assert.ok(client.jar.has(`__Host-${COOKIE}`));
  });
});

describe('networks of IPv6', () => {
  it('share the allowance of their /48', async () => {
    const there = await startThere('1');
    const email = newEmail();
    const statuses: number[] = [];
    for (let network = 1; network <= 49; network += 1)
      statuses.push(
        (await trying(there.client(), email, 'wrong', `2001:db8:1:${network.toString(16)}::1`))
          .status,
      );
    assert.deepEqual(new Set(statuses), new Set([422]));
    // Fifty failures: the account counts as attacked, and the /48 has ten times two.
    await trying(there.client(), email, 'wrong', '2001:db8:1:ff::1');
    assert.equal((await trying(there.client(), email, 'wrong', '2001:db8:1:ffff::1')).status, 429);
    assert.equal((await trying(there.client(), email, 'wrong', '2001:db8:2:1::1')).status, 422);
  });
});
