import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptSize } from './kept-size.ts';

const path = '/media/bcdfghjkmnpqrstv-1920.webp';

describe('keptSize', () => {
  it('keeps the shape in the width that there is a file of', () => {
    assert.deepEqual(keptSize(path, { width: 3840, height: 1001 }), { width: 1920, height: 501 });
    assert.deepEqual(keptSize('elsewhere', { width: 3, height: 2 }), { width: 3, height: 2 });
  });

  it('leaves a line of the flattest picture', () => {
    assert.deepEqual(keptSize(path, { width: 6000, height: 1 }), { width: 1920, height: 1 });
  });
});
