import assert from 'node:assert/strict';
import { it } from 'node:test';
import { apart, directionOf, unturned } from './direction.ts';

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

it('a text of somebody else turns nothing around it', () => {
  assert.equal(apart('Ada (Zürich), 汇率'), 'Ada (Zürich), 汇率');
  assert.equal(apart('Ada شركة'), '\u2068Ada شركة\u2069');
  assert.equal(apart('photo\u202egnp.exe'), '\u2068photo\u202egnp.exe\u2069');
  // It cannot end what keeps it apart.
  assert.equal(apart('a\u2069\u202eb'), '\u2068a\u202eb\u2069');
});

it('nothing in a title turns what stands behind it', () => {
  assert.equal(unturned('Fees\u202e are low\u202c'), 'Fees are low');
  assert.equal(unturned('\u2067a\u2069\u2068b\u2066\u2069c'), 'abc');
  assert.equal(unturned('סמל \u200f(EUR)'), 'סמל \u200f(EUR)');
  assert.equal(
    unturned(`Versions of ${apart('Ada شركة\u202e')}`),
    `Versions of ${apart('Ada شركة')}`,
  );
});
