import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openAside } from './aside.ts';

describe('work that is set aside', () => {
  it('is waited for at the end, and not for ever', async () => {
    const aside = openAside();
    const { promise, resolve } = Promise.withResolvers<void>();
    assert.ok(aside.take(promise));
    const waited = aside.ended(60_000).then(() => 'ended');
    assert.equal(await Promise.race([waited, aside.ended(50).then(() => 'left')]), 'left');
    resolve();
    assert.equal(await waited, 'ended');
  });

  it('is not more than eight at once', async () => {
    const aside = openAside();
    const { promise, resolve } = Promise.withResolvers<void>();
    const never = () => new Promise<void>(() => {});
    for (let count = 0; count < 7; count += 1) assert.ok(aside.take(never()));
    assert.ok(aside.take(promise));
    assert.ok(!aside.take(never()));
    resolve();
    await promise;
    await Promise.resolve();
    assert.ok(aside.take(never()));
  });
});
