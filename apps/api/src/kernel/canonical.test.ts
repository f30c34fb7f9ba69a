import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { canonical } from './canonical.ts';

describe('canonical', () => {
  it('is the same for any order of the names and differs for any other change', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const turned = Object.fromEntries(Object.entries(value).toReversed());
        assert.equal(canonical(turned), canonical(value));
        assert.notEqual(canonical({ ...value, 'another name that is long': 1 }), canonical(value));
      }),
    );
  });

  it('writes minor units without losing digits', () => {
    assert.equal(
      canonical({ b: 10n ** 24n, a: [2, 1] }),
      '{"a":[2,1],"b":"1000000000000000000000000"}',
    );
  });
});
