import assert from 'node:assert/strict';
import { it } from 'node:test';
import { standIn } from '#lib/stand-in.ts';

standIn({ '$app/env/public': `export const API_URL = 'https://api.test'` });
const { isUnsure } = await import('./unheard.ts');

it('what got no answer, or one of a proxy, may be saved; what was refused is not', () => {
  const unsure = [0, 401, 409, 419, 422, 429, 500, 502, 503, 504].filter((status) =>
    isUnsure({ status }),
  );
  assert.deepEqual(unsure, [0, 500, 502, 503, 504]);
});
