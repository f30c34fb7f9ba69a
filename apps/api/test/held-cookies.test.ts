/**
 * Cookies that the browser has are not set again: the answer to a slow upload, or to a slow form of a guest, would
 * replace those that another tab got meanwhile.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { auth } from '#features/auth/routes.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import type { Answer, Client } from './client.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';
import { setOut, startProviderDesk } from './factories/provider-journey.ts';
import { goThrough } from './fakes/provider-peer.ts';

const BOTH = ['XSRF-TOKEN', 'cambist_session'];
const namesIn = ({ headers }: Answer) =>
  [headers['set-cookie'] ?? []].flat().map((line) => String(line).split('=')[0]);

describe('a browser that has the cookies', async () => {
  const api = await startTestApi({ after }, { features: [auth, probe] });
  api.clock.set(new Date('2030-01-01T00:00:00Z'));
  const member = async () => (await api.asMember()).client;
  const guest = async () => {
    const client = api.client();
    await client.get('/stateful/csrf-cookie');
    return client;
  };

  it('gets none with any answer, at any age', async () => {
    const asks: readonly [number, (client: Client) => Promise<Answer>][] = [
      [200, (client) => client.get('/api/probe/stateful')],
      [
        415,
        (client) => client.post('/api/probe/stateful', 'a', { headers: { 'content-type': 'a/b' } }),
      ],
      [422, (client) => client.post('/api/probe/stateful', {})],
      [
        419,
        (client) => client.post('/api/probe/stateful', {}, { headers: { 'x-xsrf-token': 'x' } }),
      ],
    ];
    for (const kind of [member, guest]) {
      const client = await kind();
      for (const [status, ask] of asks) {
        const answer = await ask(client);
        assert.equal(answer.status, status);
        assert.deepEqual(namesIn(answer), [], String(status));
        api.clock.advance(MINUTE);
      }
    }
    const { client } = await api.asMember();
    const old = api.client();
    for (const [name, value] of client.jar) old.jar.set(name, value);
    api.clock.advance(DAY);
    assert.deepEqual(namesIn(await old.get('/api/probe/stateful')), BOTH, 'of one that is over');
  });

  it('gets none with a read that overlaps a change of password, and new ones later', async () => {
    const { client } = await api.asMember();
    const late = api.client();
    for (const [name, value] of client.jar) late.jar.set(name, value);
    await api.db.deleteFrom('sessions').execute();
    const ask = () => late.get('/api/probe/stateful');
    assert.deepEqual(namesIn(await ask()), []);
    const ended_at = new Date(Date.now() - 3 * MINUTE);
    await api.db.updateTable('ended_sessions').set({ ended_at }).execute();
    assert.deepEqual(namesIn(await ask()), BOTH);
  });

  it('gets both when one is missing, and from the csrf-cookie route', async () => {
    for (const kind of [member, guest]) {
      const client = await kind();
      client.jar.delete('XSRF-TOKEN');
      assert.deepEqual(namesIn(await client.get('/api/probe/stateful')), BOTH);
      assert.deepEqual(namesIn(await client.get('/api/probe/stateful')), []);
      assert.deepEqual(namesIn(await client.get('/stateful/csrf-cookie')), BOTH);
    }
  });
});

describe('a browser in an OAuth flow', async () => {
  const { api } = await startProviderDesk({ after });

  it('gets cookies if it has none, and keeps those that it has', async () => {
    const client = api.client();
    const there = () => client.get('/api/auth/google/redirect');
    assert.deepEqual(namesIn(await there()), BOTH);
    assert.deepEqual(namesIn(await there()), []);
    const back = await goThrough(await setOut(client, 'google'), 'cancel');
    const answer = await client.get(back.pathname + back.search);
    assert.match(String(answer.headers['location']), /trouble=cancelled/);
    assert.deepEqual(namesIn(answer), []);
  });

  it('gets none when its session ends during a flow that fails', async () => {
    const { client } = await api.asMember();
    const there = (query: Record<string, string>) =>
      client.get('/api/auth/google/redirect', { query });
    const back = await goThrough(await setOut(client, 'google', { intent: 'link' }), 'cancel');
    await api.db.deleteFrom('sessions').execute();
    for (const [trouble, answer] of [
      ['expired', await client.get(back.pathname + back.search)],
      ['confirmation_required', await there({ intent: 'link' })],
    ] as const) {
      assert.match(String(answer.headers['location']), RegExp(`trouble=${trouble}`));
      assert.deepEqual(namesIn(answer), []);
    }
    assert.deepEqual(namesIn(await there({ intent: 'signin' })), BOTH);
  });
});
