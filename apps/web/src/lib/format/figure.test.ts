import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { figurePieces, formatFigure, readFigure, readSignedFigure } from './figure.ts';

describe('figurePieces', () => {
  it('breaks behind separators and halves a long fraction, without losing a digit', () => {
    const pieces = ['\u22121,', '234,', '567.', '987654321', '098765432'];
    assert.deepEqual(figurePieces(pieces.join('')), pieces);
    assert.deepEqual(figurePieces('0.0000112'), ['0.', '0000112']);
    assert.deepEqual(figurePieces('0.92345678901'), ['0.', '923456', '78901']);
  });
});

describe('formatFigure', () => {
  it('keeps every digit of amounts beyond a number’s precision', () => {
    assert.equal(
      formatFigure('1000000000000000000000000.000000000000000001', 'en'),
      '1,000,000,000,000,000,000,000,000.000000000000000001',
    );
  });
  it('keeps trailing zeros', () => {
    assert.equal(formatFigure('0.921640', 'en'), '0.921640');
    assert.equal(formatFigure('500.00', 'de'), '500,00');
  });
  it('shows a true minus, and a plus only when asked', () => {
    assert.equal(formatFigure('-2.50', 'en'), '\u22122.50');
    assert.equal(formatFigure('0.12', 'en', { signed: true }), '+0.12');
    assert.equal(formatFigure('0.00', 'en', { signed: true }), '0.00');
  });
  it('caches formats that differ in one option separately', () => {
    const shown = [
      formatFigure('1234.50', 'en'),
      formatFigure('1234.50', 'en', { grouping: false }),
      formatFigure('1234.50', 'en', { signed: true }),
      formatFigure('1234.50', 'en', { minimumDecimals: 3 }),
      formatFigure('1234.50', 'de'),
      formatFigure('1234.50', 'en'),
    ];
    assert.deepEqual(shown, [
      '1,234.50',
      '1234.50',
      '+1,234.50',
      '1,234.500',
      '1.234,50',
      '1,234.50',
    ]);
  });
});

describe('readFigure', () => {
  const cases: [string, string, string | null][] = [
    ['500', 'en', '500'],
    ['1,234.50', 'en', '1234.50'],
    ['1.234,50', 'de', '1234.50'],
    ['1,234.50', 'de', '1234.50'],
    ['1,500', 'en', '1500'],
    ['1,5', 'en', '1.5'],
    ['1.500', 'en', '1.500'],
    ['1.500', 'de', '1500'],
    ['0,500', 'en', '0.500'],
    ['1 234,5', 'fr', '1234.5'],
    ["1'234.5", 'de-CH', '1234.5'],
    ['12,34,567.8', 'en-IN', '1234567.8'],
    ['1,234,567', 'en', '1234567'],
    ['.5', 'en', '0.5'],
    ['007', 'en', '7'],
    ['١٢٣٫٥', 'ar', '123.5'],
    ['۱۲۳', 'en', '123'],
    ['12.', 'en', '12'],
    ['1,23,4', 'en', null],
    ['1.2.3', 'en', null],
    ['1e9', 'en', null],
    ['-5', 'en', null],
    ['', 'en', null],
    ['ten', 'en', null],
  ];
  for (const [typed, locale, expected] of cases) {
    it(`reads "${typed}" in ${locale} as ${expected ?? 'nothing'}`, () => {
      assert.equal(readFigure(typed, locale), expected);
    });
  }
});

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
