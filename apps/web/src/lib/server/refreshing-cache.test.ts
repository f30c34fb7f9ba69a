import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { freshlyKept, type Ask } from './refreshing-cache.ts';

/** A service whose value changes, and the questions that it was asked. */
function desk() {
  let clock = 0;
  const asked: (string | undefined)[] = [];
  const service = { value: 'one', away: false };
  const ask: Ask<string> = async (etag) => {
    asked.push(etag);
    if (service.away) throw new Error('away');
    return etag === service.value ? null : { value: service.value, etag: service.value };
  };
  const kept = freshlyKept<string>(ask, () => clock);
  return { kept, asked, service, pass: (ms: number) => (clock += ms) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('an answer that every page needs', () => {
  it('is asked for once, however many pages come', async () => {
    const { kept, asked } = desk();
    const answers = await Promise.all(Array.from({ length: 50 }, () => kept.get()));
    assert.deepEqual(new Set(answers), new Set(['one']));
    assert.equal(asked.length, 1);
  });

  it('is asked for in passing while it is young, and by its mark', async () => {
    const { kept, asked, service, pass } = desk();
    await kept.get();
    service.value = 'two';
    pass(500);
    assert.equal(await kept.get(), 'one');
    await settled();
    assert.equal(await kept.get(), 'two');
    assert.deepEqual(asked, [undefined, 'one']);
  });

  it('is never shown older than a second', async () => {
    const { kept, service, pass } = desk();
    for (const wait of [0, 250, 500, 790, 810, 1500, 60_000]) {
      await kept.get();
      await settled();
      service.value = `after ${wait}`;
      let shown = '';
      let passed = 0;
      for (; passed < 1000; passed += 50) {
        pass(passed === 0 ? wait : 50);
        shown = await kept.get();
        await settled();
        if (shown === service.value) break;
      }
      assert.ok(shown === service.value && passed < 1000, `${wait}: ${shown} after ${passed}`);
    }
  });

  it('is the latest for whoever may just have changed it, whatever is on its way', async () => {
    const { kept, service, pass } = desk();
    await kept.get();
    service.value = 'two';
    assert.equal(await kept.get(), 'one');
    assert.equal(await kept.latest(), 'two');
    pass(500);
    await kept.get();
    service.value = 'three';
    assert.equal(await kept.latest(), 'three');
    service.away = true;
    assert.equal(await kept.latest(), 'three');
  });

  it('costs no more than a few questions a second', async () => {
    const { kept, asked, pass } = desk();
    for (let page = 0; page < 1000; page += 1) {
      pass(10);
      await kept.get();
      await settled();
    }
    assert.ok(asked.length <= 20, `${asked.length} questions in ten seconds`);
  });

  it('is kept on when the service is away, without asking it at each page', async () => {
    const { kept, asked, service, pass } = desk();
    await kept.get();
    service.away = true;
    for (let page = 0; page < 20; page += 1) {
      pass(100);
      assert.equal(await kept.get(), 'one');
      await settled();
    }
    assert.ok(asked.length < 8, `${asked.length} questions`);
    service.away = false;
    service.value = 'back';
    pass(1000);
    assert.equal(await kept.get(), 'back');
  });

  it('is a failure where nothing is known yet', async () => {
    const { kept, service } = desk();
    service.away = true;
    await assert.rejects(kept.get(), /away/);
    service.away = false;
    assert.equal(await kept.get(), 'one');
  });
});
