import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { refreshingCache, type FetchAnswer } from './refreshing-cache.ts';

/** A source whose value changes, and the requests it received. */
function source() {
  let clock = 0;
  const requests: (string | undefined)[] = [];
  const service = { value: 'one', away: false };
  const fetchAnswer: FetchAnswer<string> = async (etag) => {
    requests.push(etag);
    if (service.away) throw new Error('away');
    return etag === service.value ? null : { value: service.value, etag: service.value };
  };
  const cache = refreshingCache<string>(fetchAnswer, () => clock);
  return { cache, requests, service, pass: (ms: number) => (clock += ms) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a refreshing cache', () => {
  it('makes one request, however many callers there are', async () => {
    const { cache, requests } = source();
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.get()));
    assert.deepEqual(new Set(answers), new Set(['one']));
    assert.equal(requests.length, 1);
  });

  it('refreshes in the background while the value is young, with its ETag', async () => {
    const { cache, requests, service, pass } = source();
    await cache.get();
    service.value = 'two';
    pass(500);
    assert.equal(await cache.get(), 'one');
    await settled();
    assert.equal(await cache.get(), 'two');
    assert.deepEqual(requests, [undefined, 'one']);
  });

  it('never returns a value older than a second', async () => {
    const { cache, service, pass } = source();
    for (const wait of [0, 250, 500, 790, 810, 1500, 60_000]) {
      await cache.get();
      await settled();
      service.value = `after ${wait}`;
      let shown = '';
      let passed = 0;
      for (; passed < 1000; passed += 50) {
        pass(passed === 0 ? wait : 50);
        shown = await cache.get();
        await settled();
        if (shown === service.value) break;
      }
      assert.ok(shown === service.value && passed < 1000, `${wait}: ${shown} after ${passed}`);
    }
  });

  it('returns the latest value to a caller that may have changed it', async () => {
    const { cache, service, pass } = source();
    await cache.get();
    service.value = 'two';
    assert.equal(await cache.get(), 'one');
    assert.equal(await cache.latest(), 'two');
    pass(500);
    await cache.get();
    service.value = 'three';
    assert.equal(await cache.latest(), 'three');
    service.away = true;
    assert.equal(await cache.latest(), 'three');
  });

  it('makes few requests a second', async () => {
    const { cache, requests, pass } = source();
    for (let page = 0; page < 1000; page += 1) {
      pass(10);
      await cache.get();
      await settled();
    }
    assert.ok(requests.length <= 20, `${requests.length} questions in ten seconds`);
  });

  it('keeps the value when the source is down, and does not ask it for every page', async () => {
    const { cache, requests, service, pass } = source();
    await cache.get();
    service.away = true;
    for (let page = 0; page < 20; page += 1) {
      pass(100);
      assert.equal(await cache.get(), 'one');
      await settled();
    }
    assert.ok(requests.length < 8, `${requests.length} questions`);
    service.away = false;
    service.value = 'back';
    pass(1000);
    assert.equal(await cache.get(), 'back');
  });

  it('fails where there is no value yet', async () => {
    const { cache, service } = source();
    service.away = true;
    await assert.rejects(cache.get(), /away/);
    service.away = false;
    assert.equal(await cache.get(), 'one');
  });
});
