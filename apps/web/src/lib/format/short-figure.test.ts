import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortFigure } from './short-figure.ts';

describe('shortFigure', () => {
  it('drops only zeros that say nothing', () => {
    assert.equal(shortFigure('900.000000'), '900.00');
    assert.equal(shortFigure('0.04200000'), '0.042');
    assert.equal(shortFigure('0.512345678901234567'), '0.512345678901234567');
    assert.equal(shortFigure('0.50'), '0.50');
    assert.equal(shortFigure('-12.500'), '-12.50');
  });

  it('leaves whole numbers and their zeros alone', () => {
    assert.equal(shortFigure('120000'), '120000');
    assert.equal(shortFigure('0'), '0');
  });
});
