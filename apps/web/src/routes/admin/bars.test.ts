import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawBars } from './bars.ts';

describe('drawBars', () => {
  it('draws each value from zero, losses below it, and leaves out what is unknown', () => {
    assert.deepEqual(drawBars([['30.00', '-10', null, '0']]), {
      zero: 75,
      high: '30.00',
      bars: [[{ y: 0, height: 75 }, { y: 75, height: 25 }, null, { y: 75, height: 0 }]],
    });
  });

  it('draws several series on one scale, and nothing at all', () => {
    const { bars } = drawBars([['4'], ['1.0']]);
    assert.deepEqual(bars, [[{ y: 0, height: 100 }], [{ y: 75, height: 25 }]]);
    assert.deepEqual(drawBars([[]]), { zero: 0, high: '0', bars: [[]] });
  });
});
