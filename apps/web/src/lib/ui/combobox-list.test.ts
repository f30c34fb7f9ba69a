import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filterChoices, stepChoice } from './combobox-list.ts';

const choices = [
  { value: 'usd', label: 'USD', detail: 'Bank transfer' },
  { value: 'eur', label: 'EUR', detail: 'SEPA transfer', disabled: true },
  { value: 'btc', label: 'BTC', detail: 'On-chain', keywords: ['Bitcoin'] },
  { value: 'czk', label: 'CZK', detail: 'Česká spořitelna' },
];
const values = (query: string) => filterChoices(choices, query).map((choice) => choice.value);

describe('filterChoices', () => {
  it('finds by label, detail and keyword, in any case and without accents', () => {
    assert.deepEqual(values('transfer'), ['usd', 'eur']);
    assert.deepEqual(values('BITcoin'), ['btc']);
    assert.deepEqual(values('sporitelna'), ['czk']);
  });
  it('requires every word, and puts matches at the start first', () => {
    assert.deepEqual(values('bank eur'), []);
    assert.deepEqual(values('c'), ['czk', 'btc']);
  });
  it('shows everything without a query', () => {
    assert.equal(filterChoices(choices, '  '), choices);
  });
});

describe('stepChoice', () => {
  it('skips disabled choices and wraps around', () => {
    assert.equal(stepChoice(choices, 'usd', 'ArrowDown', true), 'btc');
    assert.equal(stepChoice(choices, 'czk', 'ArrowDown', true), 'usd');
    assert.equal(stepChoice(choices, 'usd', 'ArrowUp', true), 'czk');
    assert.equal(stepChoice(choices, '', 'ArrowDown', true), 'usd');
  });
  it('leaves Home, End and letters to the text while typing', () => {
    assert.equal(stepChoice(choices, 'usd', 'End', true), null);
    assert.equal(stepChoice(choices, 'usd', 'End', false), 'czk');
    assert.equal(stepChoice(choices, 'usd', 'b', true), null);
    assert.equal(stepChoice(choices, 'usd', 'b', false), 'btc');
  });
});
