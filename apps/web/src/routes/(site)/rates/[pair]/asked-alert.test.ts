import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeNext } from '#lib/account/next-path.ts';
import { askedIn, pathWith } from './asked-alert.ts';

describe('what was typed into the form of an alert', () => {
  it('comes back from the address that sign-in leads to', () => {
    for (const asked of [
      { direction: 'at_most', target: '1.234,56 €&?#', repeats: true },
      { direction: 'at_least', target: '', repeats: false },
    ] as const) {
      const path = pathWith('usd-to-eur', asked);
      assert.equal(safeNext(path), path);
      const { pathname, searchParams, hash } = new URL(path, 'http://localhost');
      assert.deepEqual([pathname, hash], ['/rates/usd-to-eur', '#alert']);
      assert.deepEqual(askedIn(searchParams), asked);
    }
  });

  it('is nothing on the page’s plain address, and tame in a strange one', () => {
    assert.equal(askedIn(new URLSearchParams('range=year')), null);
    const strange = askedIn(new URLSearchParams({ direction: 'x', target: '9'.repeat(500) }));
    assert.deepEqual([strange?.direction, strange?.target.length], ['at_least', 60]);
  });
});
