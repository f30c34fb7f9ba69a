import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { safeNext } from '#lib/account/next-path.ts';
import { askedIn, pathWith } from './asked-alert.ts';

describe('the values of the alert form', () => {
  it('survive sign-in in the address', () => {
    for (const asked of [
      { direction: 'at_most', target: '1.234,56 €&?#' },
      { direction: 'at_least', target: '' },
    ] as const) {
      const path = pathWith('usd-to-eur', asked);
      assert.equal(safeNext(path), path);
      const { pathname, searchParams, hash } = new URL(path, 'http://localhost');
      assert.deepEqual([pathname, hash], ['/rates/usd-to-eur', '#alert']);
      assert.deepEqual(askedIn(searchParams), asked);
    }
  });

  it('are empty in the plain address, and harmless in a strange one', () => {
    assert.equal(askedIn(new URLSearchParams('range=year')), null);
    const strange = askedIn(new URLSearchParams({ direction: 'x', target: '9'.repeat(500) }));
    assert.deepEqual([strange?.direction, strange?.target.length], ['at_least', 60]);
  });
});
