import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { RateRefusal } from '@cambist/contract/rates';
import { standInMessages } from '#lib/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages("(key) => (inputs = {}) => [key, ...Object.values(inputs)].join(' ')");
const { causesOf } = await import('./causes.ts');

const of = (unit: string, changes: Partial<RateRefusal> = {}): RateRefusal => ({
  unit,
  provider: 'openexchangerates',
  reason: 'left_out',
  message: `${unit}, in full.`,
  instead: null,
  ...changes,
});

describe('what was refused or left out', () => {
  it('is told by its cause and then by the units, in the order of the run', () => {
    const zero = { reason: 'not_a_rate', instead: 'fixer' } as const;
    assert.deepEqual(causesOf([of('BTC'), of('GBP', zero), of('EUR'), of('USD', zero)]), [
      'sync_cause_left_out Open Exchange Rates 2 BTC, EUR',
      'sync_cause_not_a_rate Open Exchange Rates 2 GBP, USD sync_cause_instead Fixer',
    ]);
    const own = { instead: 'openexchangerates' };
    assert.deepEqual(causesOf([of('BTC', own), of('ETH', own)]), [
      'sync_cause_left_out Open Exchange Rates 2 BTC, ETH sync_cause_own',
    ]);
  });

  it('is told with its own sentence where a cause has one unit', () => {
    const told = [of('BTC'), of('GBP', { reason: 'too_old' }), of('USD', { provider: 'fixer' })];
    assert.deepEqual(causesOf([...told, of('EUR', { instead: 'fixer' })]), [
      'BTC, in full.',
      'GBP, in full.',
      'USD, in full.',
      'EUR, in full.',
    ]);
    assert.deepEqual(causesOf([]), []);
  });

  it('counts each currency once, in however many others its figures come', () => {
    assert.deepEqual(causesOf([of('BTC'), of('BTC'), of('ETH')]), [
      'sync_cause_left_out Open Exchange Rates 2 BTC, ETH',
    ]);
    assert.deepEqual(causesOf([of('BTC'), of('BTC')]), ['BTC, in full.']);
  });

  it('is worded for all that its sentences may say', () => {
    const url = new URL('../../../../messages/sync/en.json', import.meta.url);
    const words = JSON.parse(readFileSync(url, 'utf8'));
    // As of a coin without its time, and of two rates over another one's of their bases.
    assert.match(words.sync_cause_not_a_rate, /no rate, or have no time that can be read/);
    assert.match(words.sync_cause_inconsistent, /its others, or with what another provider says/);
  });

  it('names so many and counts them all', () => {
    const many = (count: number) => Array.from({ length: count }, (_each, place) => `U${place}`);
    const [told = ''] = causesOf(many(40).map((unit) => of(unit)));
    const named = many(12).join(', ');
    assert.equal(
      told,
      `sync_cause_left_out Open Exchange Rates 40 sync_units_and_more ${named} 28`,
    );
  });
});
