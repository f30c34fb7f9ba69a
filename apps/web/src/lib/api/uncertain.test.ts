import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isUnsure } from './uncertain.ts';

it('no answer, or one of a proxy, leaves open whether a request was carried out; a refusal does not', () => {
  const unsure = [0, 401, 409, 419, 422, 429, 500, 502, 503, 504, 524].filter((status) =>
    isUnsure({ status }),
  );
  assert.deepEqual(unsure, [0, 500, 502, 503, 504, 524]);
});
