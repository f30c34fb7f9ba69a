/** Who may send something is asked before the body is read, and again after one that came slowly. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import { features } from '../src/features.ts';
import { startTestApi } from './harness.ts';
import { probe } from './fakes/probe.ts';

const api = await startTestApi({ after }, { features: [...features, probe] });
const { db } = api;

const json = { type: 'application/json', text: '{"text":"a"}' };
const form = {
  type: 'multipart/form-data; boundary=b',
  text: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--b--\r\n',
};

/** Sends half of it, runs the action, and sends the rest after more than a second. */
function drip(
  client: Client,
  url: string,
  { type, text }: typeof json,
  action: () => Promise<unknown>,
) {
  async function* halves() {
    yield text.slice(0, 5);
    await action();
    await sleep(1_200);
    yield text.slice(5);
  }
  const headers = { 'content-type': type, 'content-length': String(text.length) };
  return client.post(url, Readable.from(halves()), { headers });
}

describe('a body that comes slowly', () => {
  const nothing = async () => undefined;
  const disable = (id: string) => () =>
    db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', id).execute();

  it('is taken from somebody who is still here', async () => {
    const { client } = await api.asMember();
    assert.equal((await drip(client, '/api/probe/member', json, nothing)).status, 201);
    const { client: admin } = await api.asAdmin();
    assert.equal((await drip(admin, '/api/admin/media', form, nothing)).status, 422, 'no picture');
  });

  it('is refused from somebody who was disabled, demoted or signed out meanwhile', async () => {
    const { client, user } = await api.asMember();
    const answer = await drip(client, '/api/probe/member', json, disable(user.id));
    assert.deepEqual([answer.status, answer.headers['set-cookie']], [401, undefined]);

    for (const [url, body] of [
      ['/api/admin/probe', json],
      ['/api/admin/media', form],
    ] as const) {
      const { client: admin, user } = await api.asAdmin();
      const demote = () =>
        db.updateTable('users').set({ role: 'user' }).where('id', '=', user.id).execute();
      assert.equal((await drip(admin, url, body, demote)).status, 403, url);
    }
    const { client: other } = await api.asMember();
    const leave = () => db.deleteFrom('sessions').execute();
    assert.equal((await drip(other, '/api/probe/member', json, leave)).status, 401);
  });
});
