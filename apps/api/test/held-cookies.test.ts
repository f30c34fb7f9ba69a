/** The cookies of a session that the browser has already: when an answer sets them anew. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { endpoint } from '@cambist/contract/endpoint';
import { auth } from '#features/auth/routes.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Feature } from '#platform/feature.ts';
import type { Answer } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './probe.ts';

/** Answers two seconds after it was asked, by the test's clock. */
const late: Feature = {
  name: 'late',
  routes(ways) {
    const asked = endpoint({
      method: 'GET',
      path: '/api/probe/late',
      scope: 'stateful',
      throttle: 'read',
      summary: 'A late answer.',
      status: 204,
    });
    ways.stateful.serve(asked, async () => {
      api.clock.advance(2 * SECOND);
    });
  },
};

const api = await startTestApi({ after }, { features: [auth, probe, late] });
api.clock.set(new Date('2030-01-01T00:00:00Z'));

const namesIn = ({ headers }: Answer) =>
  [headers['set-cookie'] ?? []].flat().map((line) => String(line).split('=')[0]);
const BOTH = ['XSRF-TOKEN', 'cambist_session'];

describe('a browser that holds the cookies', () => {
  const member = async () => (await api.asMember()).client;
  const guest = async () => {
    const client = api.client();
    await client.get('/stateful/csrf-cookie');
    return client;
  };
  const kinds = [member, guest];

  it('is given them anew a minute after, and at once where one is missing', async () => {
    for (const kind of kinds) {
      const client = await kind();
      const sets = async () => namesIn(await client.get('/api/probe/stateful'));
      assert.deepEqual(await sets(), []);
      client.jar.delete('XSRF-TOKEN');
      assert.deepEqual(await sets(), BOTH);
      assert.deepEqual(await sets(), []);
      api.clock.advance(MINUTE);
      assert.deepEqual(await sets(), BOTH);
    }
  });

  it('keeps those of a sign-in that has overtaken a late answer', async () => {
    for (const kind of kinds) {
      const client = await kind();
      api.clock.advance(MINUTE);
      assert.deepEqual(namesIn(await client.get('/api/probe/late')), []);
    }
  });

  it('is given others by a late answer where its own are worth nothing', async () => {
    const ending = await member();
    const ended = api.client();
    for (const [name, value] of ending.jar) ended.jar.set(name, value);
    await ending.post('/api/auth/signout');
    assert.deepEqual(namesIn(await ended.get('/api/probe/late')), BOTH);
  });
});
