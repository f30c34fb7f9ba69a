import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesOf, restOf } from './changes.ts';

describe('the changes of an event', () => {
  const data = {
    slug: 'usd-to-eur',
    changes: {
      margin_percent: { before: '1', after: '-2' },
      tiers: { before: [], after: [{ from: '500.00', margin_percent: '0.5' }] },
      send_fee: { before: { fixed: '0', min: null }, after: { fixed: '1', min: '2' } },
      active: { before: true, after: false },
      formula: { before: 'usd/eur', after: null },
    },
  };

  it('are told field by field, before and after', () => {
    assert.deepEqual(changesOf({ data }), [
      { field: 'margin_percent', before: '1', after: '-2' },
      { field: 'tiers', before: null, after: 'from: 500.00, margin percent: 0.5' },
      { field: 'send_fee', before: 'fixed: 0', after: 'fixed: 1, min: 2' },
      { field: 'active', before: 'true', after: 'false' },
      { field: 'formula', before: 'usd/eur', after: null },
    ]);
    assert.deepEqual(restOf({ data }), { slug: 'usd-to-eur' });
  });

  it('are none where an event keeps no two sides', () => {
    for (const other of [{}, { changes: ['a'] }, { changed: ['x'] }, { changes: { a: 1 } }]) {
      assert.deepEqual(changesOf({ data: other }), []);
      assert.deepEqual(restOf({ data: other }), other);
    }
  });
});
