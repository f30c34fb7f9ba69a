import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApi, type TestApi } from '#test/harness.ts';

const api = await startTestApi({ after }, { shedsLoad: true });
const SAMPLE_MS = 1000;
const START_MS = 2 * SAMPLE_MS;

/** Blocks the event loop longer than a sample. */
function hold(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SAMPLE_MS + 200);
}

/** Waits until a sample has measured the blocked loop. */
async function overload({ app }: TestApi): Promise<void> {
  for (let held = 0; held < 10 && !app.isUnderPressure(); held += 1) {
    hold();
    await sleep(1);
  }
  assert.ok(app.isUnderPressure());
}

describe('an overloaded process', () => {
  it('does not count its own start as load', async () => {
    const fresh = await startTestApi({ after }, { shedsLoad: true });
    // The first request finishes the start.
    await overload(fresh);
    assert.equal((await fresh.client().get('/api/public/rates-showcase')).status, 200);
  });

  it('refuses public reads for a while, but no steps of a flow', async () => {
    const { client } = await api.asMember();
    await sleep(START_MS);
    await overload(api);
    const visitor = api.client();
    const refused = await visitor.get('/api/public/rates-showcase');
    assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable']);
    assert.equal(refused.headers['retry-after'], '5');
    assert.equal((await visitor.get('/stateful/csrf-cookie')).status, 204);
    assert.equal((await visitor.get('/sanctum/csrf-cookie')).status, 204);
    assert.ok(visitor.jar.has('XSRF-TOKEN'));
    assert.equal((await client.get('/api/user')).status, 200);

    for (let waited = 0; waited < 10 && api.app.isUnderPressure(); waited += 1) {
      await sleep(SAMPLE_MS);
    }
    assert.equal((await visitor.get('/api/public/rates-showcase')).status, 200);
  });
});
