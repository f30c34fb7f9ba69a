import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawSparkline } from './sparkline-path.ts';

describe('drawSparkline', () => {
  it('spreads the values over the box, lowest at the bottom and highest at the top', () => {
    assert.equal(drawSparkline(['1.0', '1.5', '2'], 106, 26)?.path, 'M3 23L53 13L103 3');
  });
  it('distinguishes values beyond a number’s precision', () => {
    const drawing = drawSparkline([
      '100000000000000000.000000000000000002',
      '100000000000000000.000000000000000001',
    ]);
    assert.deepEqual(drawing?.end, { x: 93, y: 25 });
  });
  it('draws a level line for equal values, and nothing for one', () => {
    assert.equal(drawSparkline(['1', '1.0'], 106, 26)?.path, 'M3 13L103 13');
    assert.equal(drawSparkline(['1']), null);
  });
});
