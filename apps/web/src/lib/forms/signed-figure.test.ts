import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSignedFigure } from './signed-figure.ts';

describe('readSignedFigure', () => {
  it('reads either minus sign and keeps the decimals', () => {
    assert.equal(readSignedFigure('-0.50', 'en'), '-0.50');
    assert.equal(readSignedFigure('\u22121.25', 'en'), '-1.25');
    assert.equal(readSignedFigure(' - 2', 'en'), '-2');
  });

  it('gives zero no sign', () => {
    assert.equal(readSignedFigure('-0.00', 'en'), '0.00');
  });

  it('reads what is not below zero as any figure', () => {
    assert.equal(readSignedFigure('1,5', 'de'), '1.5');
    assert.equal(readSignedFigure('', 'en'), null);
    assert.equal(readSignedFigure('--1', 'en'), null);
  });
});
