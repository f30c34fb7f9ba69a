import assert from 'node:assert/strict';
import { it } from 'node:test';
import { directionOf } from './direction.ts';

it('a text is written in the direction of its first letter', () => {
  assert.equal(directionOf('100 € سعر الصرف USD'), 'rtl');
  assert.equal(directionOf('«שער» rate'), 'rtl');
  assert.equal(directionOf('USD سعر'), 'ltr');
  assert.equal(directionOf('汇率'), 'ltr');
  assert.equal(directionOf('123 – 4'), undefined);
});

it('a mark that stands for a letter says it before the letters do', () => {
  assert.equal(directionOf('\u200fUSD سعر'), 'rtl');
  assert.equal(directionOf('\u061cUSD'), 'rtl');
  assert.equal(directionOf('\u200eسعر'), 'ltr');
  assert.equal(directionOf('12 \u200f'), 'rtl');
});
