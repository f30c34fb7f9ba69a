/** How long sessions live, by a clock that the test sets. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Answer } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const features = [auth, probe];
const SESSION = 'cambist_session';

function sessionCookie(answer: Answer): string {
  const lines = answer.headers['set-cookie'];
  return (Array.isArray(lines) && lines.find((line) => line.startsWith(`${SESSION}=`))) || '';
}

describe('the limits of a session', () => {
  /** A session of its own clock; signs in at time zero. */
  async function at(env: Record<string, string> = {}) {
    const there = await startTestApi({ after }, { features, env });
    there.clock.set(new Date('2030-01-01T00:00:00Z'));
    return there;
  }

  it('ends a member’s two hours after the last use', async () => {
    const there = await at();
    const { client } = await there.asMember();
    for (let uses = 0; uses < 3; uses += 1) {
      there.clock.advance(2 * HOUR - MINUTE);
      assert.equal((await client.get('/api/user')).status, 200);
    }
    there.clock.advance(2 * HOUR);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('follows SESSION_LIFETIME', async () => {
    const there = await at({ SESSION_LIFETIME: '10' });
    const { client } = await there.asMember();
    there.clock.advance(10 * MINUTE - 1);
    assert.equal((await client.get('/api/user')).status, 200);
    there.clock.advance(10 * MINUTE);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('ends a member’s after 30 days, however much it is used, also when remembered', async () => {
    const there = await at();
    const { email } = await there.client().signUp();
    const client = there.client();
    const begun = await client.post('/api/auth/signin', {
      email,
      password: PASSWORD,
      remember: true,
    });
    assert.match(sessionCookie(begun), new RegExp(`Max-Age=${(30 * DAY) / 1000};`));
    there.clock.advance(29 * DAY);
    assert.equal((await client.get('/api/user')).status, 200);
    // A browser that asks for its cookies keeps them no longer than the session lives.
    const asked = await client.get('/stateful/csrf-cookie');
    assert.match(sessionCookie(asked), new RegExp(`Max-Age=${DAY / 1000};`));
    there.clock.advance(DAY);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('ends an admin’s after half an hour without use, and after twelve hours', async () => {
    const there = await at();
    const { client, user } = await there.asAdmin();
    for (let passed = 0; passed < 12 * HOUR - 29 * MINUTE; passed += 29 * MINUTE) {
      assert.equal((await client.get('/api/user')).status, 200);
      there.clock.advance(29 * MINUTE);
    }
    there.clock.advance(29 * MINUTE);
    assert.equal((await client.get('/api/user')).status, 401);
    const remembered = {
      email: user.email,
      password: PASSWORD,
      remember: true,
    };
    const begun = await client.post('/api/auth/signin', remembered);
    assert.equal(begun.status, 200);
    assert.match(sessionCookie(begun), new RegExp(`Max-Age=${(12 * HOUR) / 1000};`));
    there.clock.advance(30 * MINUTE);
    assert.equal((await client.get('/api/user')).status, 401);
  });

  it('ends a guest’s after a week, and gives another', async () => {
    const there = await at();
    const client = there.client();
    const given = await client.get('/stateful/csrf-cookie');
    assert.match(sessionCookie(given), new RegExp(`Max-Age=${(7 * DAY) / 1000};`));
    there.clock.advance(7 * DAY - MINUTE);
    assert.equal((await client.post('/api/probe/stateful', { text: 'a' })).status, 201);
    there.clock.advance(MINUTE);
    assert.equal((await client.post('/api/probe/stateful', { text: 'a' })).status, 419);
    await client.get('/api/probe/stateful');
    assert.equal((await client.post('/api/probe/stateful', { text: 'a' })).status, 201);
  });

  it('notes uses and sights once a minute, and deletes what is past every limit', async () => {
    const there = await at();
    const { client, user } = await there.asAdmin();
    const seen = async () => {
      const row = await there.db
        .selectFrom('users')
        .innerJoin('sessions', 'sessions.user_id', 'users.id')
        .select(['users.last_seen_at', 'sessions.last_used_at'])
        .where('users.id', '=', user.id)
        .executeTakeFirstOrThrow();
      return [row.last_seen_at?.toISOString(), row.last_used_at.toISOString()];
    };
    const start = '2030-01-01T00:00:00.000Z';
    there.clock.advance(MINUTE - 1);
    await client.get('/api/admin/probe');
    assert.deepEqual(await seen(), [start, start]);
    there.clock.advance(1);
    await client.get('/api/admin/probe');
    const later = '2030-01-01T00:01:00.000Z';
    assert.deepEqual(await seen(), [later, later]);

    there.clock.advance(31 * DAY);
    await there.scheduler.tick();
    const left = await there.db.selectFrom('sessions').selectAll().execute();
    assert.equal(left.length, 0);
  });
});
