/** The cookies of a session that the browser has already: when an answer sets them anew. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { endpoint } from '@cambist/contract/endpoint';
import { auth } from '#features/auth/routes.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Feature } from '#platform/feature.ts';
import type { Answer } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './probe.ts';

/** Ends all sessions while it answers, as another tab would. */
const overtaken: Feature = {
  name: 'overtaken',
  routes(ways, { db }) {
    const asked = endpoint({
      method: 'GET',
      path: '/api/probe/overtaken',
      scope: 'stateful',
      throttle: 'read',
      summary: 'An answer that is overtaken.',
      status: 204,
    });
    ways.stateful.serve(asked, async () => {
      await db.deleteFrom('sessions').execute();
    });
  },
};

const api = await startTestApi({ after }, { features: [auth, probe, overtaken] });
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

  it('is given them at once where one is missing, and a member’s anew after a minute', async () => {
    for (const [kind, later] of [
      [member, BOTH],
      [guest, []],
    ] as const) {
      const client = await kind();
      const sets = async () => namesIn(await client.get('/api/probe/stateful'));
      assert.deepEqual(await sets(), []);
      client.jar.delete('XSRF-TOKEN');
      assert.deepEqual(await sets(), BOTH);
      assert.deepEqual(await sets(), []);
      api.clock.advance(MINUTE);
      assert.deepEqual(await sets(), later);
    }
  });

  it('is not given those of a session that has ended before its answer', async () => {
    const client = await member();
    api.clock.advance(MINUTE);
    assert.deepEqual(namesIn(await client.get('/api/probe/overtaken')), []);
    assert.deepEqual(namesIn(await client.get('/api/user')), BOTH);
  });
});
