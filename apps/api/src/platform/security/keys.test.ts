import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { MissingAppKey, openKeys, sameText } from './keys.ts';

describe('openKeys', () => {
  const keys = openKeys(randomBytes(32));

  it('signs for one purpose only', () => {
    const signature = keys.sign('quotes', 'text');
    assert.match(signature, /^[A-Za-z0-9_-]{43}$/);
    assert.ok(keys.verify('quotes', 'text', signature));
    assert.ok(!keys.verify('sessions', 'text', signature));
    assert.ok(!keys.verify('quotes', 'texts', signature));
    assert.ok(!keys.verify('quotes', 'text', ''));
    assert.ok(!openKeys(randomBytes(32)).verify('quotes', 'text', signature));
  });

  it('opens only what it sealed, at the place it was sealed for', () => {
    const sealed = keys.seal('settings', 'sécret', 'mail');
    assert.equal(keys.open('settings', sealed, 'mail'), 'sécret');
    assert.throws(() => keys.open('settings', sealed, 'rates'));
    assert.throws(() => keys.open('others', sealed, 'mail'));
    for (const at of [0, 15, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => keys.open('settings', changed, 'mail'));
    }
    assert.throws(() => keys.open('settings', sealed.subarray(0, 20), 'mail'));
    assert.notDeepEqual(keys.seal('settings', 'sécret', 'mail'), sealed);
  });

  it('refuses everything without APP_KEY, by name', () => {
    const none = openKeys(null);
    assert.throws(() => none.sign('a', 'b'), MissingAppKey);
    assert.throws(() => none.verify('a', 'b', 'c'), MissingAppKey);
    assert.throws(() => none.seal('a', 'b', 'c'), MissingAppKey);
    assert.throws(() => none.open('a', Buffer.alloc(40), 'c'), { name: 'MissingAppKeyException' });
  });
});

describe('sameText', () => {
  it('compares whole texts', () => {
    assert.ok(sameText('abc', 'abc'));
    assert.ok(!sameText('abc', 'abd'));
    assert.ok(!sameText('abc', 'abcd'));
    assert.ok(sameText('', ''));
  });
});
