import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listFigure, shortFigure } from './short-figure.ts';

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

describe('listFigure', () => {
  it('drops the zeros of many decimals, and no other digit', () => {
    assert.equal(listFigure('0.750000000000000000', 18), '0.75');
    assert.equal(listFigure('12.000000000000000000', 18), '12.00');
    assert.equal(listFigure('0.100000000000000001', 18), '0.100000000000000001');
    assert.equal(listFigure('100.500000000', 9), '100.50');
  });

  it('leaves the few decimals of other currencies as they are', () => {
    assert.equal(listFigure('0.75000000', 8), '0.75000000');
    assert.equal(listFigure('1500', 0), '1500');
  });
});
