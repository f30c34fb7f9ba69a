import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { secretOf } from '#test/factories/emails.ts';
import { eventually } from '#test/eventually.ts';
import { audit } from '#features/audit/routes.ts';
import { makeAdmin } from '../admin/admin-account.ts';
import { hashPassword } from '../password/passwords.ts';
import { auth } from '../routes.ts';

const COOKIE = 'cambist_browser';
/** A fifth of all limits: ten failures close an account, and a known browser has four. */
const FIFTH = '0.2';

/** An API whose clock stands still. */
async function startThere(scale = FIFTH, more = {}, databaseUrl?: string): Promise<TestApi> {
  const env = { THROTTLE_SCALE: scale, TRUSTED_PROXIES: '127.0.0.1', ...more };
  const wayTo = (own: string) => databaseUrl ?? own;
  const there = await startTestApi({ after }, { features: [audit, auth], env, wayTo });
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
    const attempts = openAttempts((await startThere()).deps.counters, 1);
    const guess = (email: string, ip: string) => ({ email, ip, browser: null });
    for (let host = 1; host <= 50; host += 1)
      attempts.failed(guess('alex@example.com', `198.51.100.${host}`));
    for (let count = 0; count < 21_000; count += 1)
      attempts.failed(guess(`${count}@example.com`, `10.0.${count >> 8}.${count & 255}`));
    assert.equal(attempts.isClosed(guess('alex@example.com', '203.0.113.1')), true);
    assert.equal(attempts.isClosed(guess('20999@example.com', '203.0.113.1')), false);
  });
});

describe('an account whose password an operator resets by the command', () => {
  it('opens at once to unknown browsers', async () => {
    const there = await startThere();
    await there.deps.counters.listen();
    const { user } = await there.asMember();
    await attack(there, user.email);
    const right = () => trying(there.client(), user.email, PASSWORD, '203.0.113.1');
    assert.equal((await right()).status, 422);
    const passwordHash = await hashPassword(PASSWORD);
    await makeAdmin(there.deps, { email: user.email, passwordHash, reset: true });
    await eventually('it opens', async () => (await right()).status === 200);
  });
});

describe('an account that is attacked at two processes', () => {
  it('has one count of failures', async () => {
    const one = await startThere(FIFTH, { API_PROCESSES: '2' });
    const other = await startThere(FIFTH, { API_PROCESSES: '2' }, one.databaseUrl);
    const { user } = await one.asMember();
    await attack(one, user.email, { networks: 6 });
    await attack(other, user.email, { networks: 6, subnet: '198.51.101' });
    const right = () => trying(other.client(), user.email, PASSWORD, '203.0.113.1');
    await one.deps.counters.settle();
    await other.deps.counters.settle();
    assert.equal((await right()).status, 422);
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
