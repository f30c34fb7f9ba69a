import assert from 'node:assert/strict';
import { it } from 'node:test';
import { leadOn, slugIn } from './own-spelling.ts';

it('an address in capitals is looked for in small letters, and nothing else is', () => {
  assert.equal(slugIn('MOVING-House'), 'moving-house');
  for (const none of ['', 'a--b', 'a_b', '-a', 'a.txt', 'ä'])
    assert.throws(() => slugIn(none), { status: 404 }, none);
});

it('what is found leads on to its own address, unless that was asked for', () => {
  leadOn('terms', 'terms', '/terms');
  assert.throws(() => leadOn('Terms', 'terms', '/terms'), { status: 308, location: '/terms' });
  assert.throws(() => leadOn('Old', 'terms', '/terms'), { status: 301, location: '/terms' });
});
