import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn, scaleOf, step, turned } from './zoom.ts';

const frame = { width: 400, height: 600 };

describe('scaleOf', () => {
  it('fits the width, or the whole of a tall picture', () => {
    const tall = { width: 800, height: 2400 };
    assert.equal(scaleOf('width', tall, frame, 0), 0.5);
    assert.equal(scaleOf('whole', tall, frame, 0), 0.25);
  });

  it('fits the picture as it is turned', () => {
    assert.equal(scaleOf('width', { width: 400, height: 1600 }, frame, 90), 0.25);
  });

  it('does not blow up a small picture', () => {
    assert.equal(scaleOf('width', { width: 100, height: 100 }, frame, 0), 1);
  });

  it('has an answer before anything was measured', () => {
    assert.equal(scaleOf('width', { width: 0, height: 0 }, frame, 0), 1);
    assert.equal(scaleOf('whole', { width: 10, height: 10 }, { width: 0, height: 0 }, 0), 1);
  });
});

describe('step', () => {
  it('goes to the next step from any scale, and back to where it was', () => {
    assert.equal(step(1, 1), 1.25);
    assert.equal(step(1.25, -1), 1);
    assert.equal(step(0.46, 1), 0.5);
    assert.equal(step(0.46, -1), 0.33);
  });

  it('does not count a fitted scale beside a step as another', () => {
    assert.equal(step(0.499, 1), 0.67);
    assert.equal(step(0.501, -1), 0.33);
  });

  it('stops at the ends', () => {
    assert.equal(step(8, 1), 8);
    assert.equal(step(0.1, -1), 0.1);
  });
});

describe('turning', () => {
  it('comes round after four', () => {
    assert.deepEqual(
      [0, 90, 180, 270].map((turn) => nextTurn(turn as 0)),
      [90, 180, 270, 0],
    );
  });

  it('swaps width and height', () => {
    assert.deepEqual(turned({ width: 1, height: 2 }, 270), { width: 2, height: 1 });
    assert.deepEqual(turned({ width: 1, height: 2 }, 180), { width: 1, height: 2 });
  });
});
