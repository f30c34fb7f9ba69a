import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const path = '/api/public/changes';

async function follow() {
  const stop = new AbortController();
  const response = await fetch((await api.url()) + path, { signal: stop.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = (await chunks?.next()) ?? { done: true, value: '' };
      if (done) return null;
      if (value !== ': heartbeat\n\n') return value;
    }
  };
  return { response, stop, next };
}

describe('GET /api/public/changes', () => {
  it('sends a change at the beginning, and after each one', { timeout: 15_000 }, async () => {
    const { response, next, stop } = await follow();
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.equal(await next(), 'event: change\ndata:\n\n');
    const changed = next();
    await transaction(api.db, (tx) => api.deps.published.changed(tx, 'anything'));
    assert.equal(await changed, 'event: change\ndata:\n\n');
    stop.abort();
  });

  it('is refused beyond eight streams of an address, and free again when they have ended', async () => {
    for (let asked = 0; asked < 20; asked += 1)
      assert.equal((await api.client().send('HEAD', path)).status, 200);
    const all = await Promise.all(Array.from({ length: 8 }, follow));
    const { response, stop } = await follow();
    assert.equal(response.status, 429);
    stop.abort();
    for (const each of all) each.stop.abort();
    const end = Date.now() + 20_000;
    for (;;) {
      const again = await follow();
      again.stop.abort();
      if (again.response.status === 200) break;
      assert.ok(Date.now() < end, String(again.response.status));
    }
  });
});
