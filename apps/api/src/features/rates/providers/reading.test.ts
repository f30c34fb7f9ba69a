/** Values that no adapter accepts as a rate. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RateProviderName } from '@cambist/contract/rate-settings';
import { providers } from './list.ts';

const UNITS = ['USD', 'EUR', 'PLN', 'BTC', 'ETH'];

/** `ok`, or how it failed. */
function reads(name: RateProviderName, text: string, status = 200): string {
  const reading = providers[name].read({ status, text, units: UNITS });
  return reading.ok ? 'ok' : reading.failure;
}

describe('a day that does not exist', () => {
  const days = ['2026-02-30', '2025-02-29', '2026-04-31', '2026-13-01', '2026-00-10'];
  const bodies = {
    frankfurter: (day: string) => `{"amount":1.0,"base":"EUR","date":"${day}","rates":{"USD":1.1}}`,
    currencyapi: (day: string) =>
      `{"meta":{"last_updated_at":"${day}T23:59:59Z"},"data":{"EUR":{"code":"EUR","value":0.9}}}`,
  };
  for (const name of ['frankfurter', 'currencyapi'] as const) {
    it(`makes an answer of ${name} malformed`, () => {
      for (const day of days) assert.equal(reads(name, bodies[name](day)), 'malformed', day);
      assert.equal(reads(name, bodies[name]('2024-02-29')), 'ok');
    });
  }
});

describe('an entry of currencyapi', () => {
  it('makes the answer malformed where it bears another code than its key', () => {
    const entry = (code: string) =>
      `{"meta":{"last_updated_at":"2026-11-20T23:59:59Z"},"data":{"PLN":{"code":${code},"value":3.9}}}`;
    assert.equal(reads('currencyapi', entry('"PLN"')), 'ok');
    for (const code of ['"EUR"', '"pln"', 'null'])
      assert.equal(reads('currencyapi', entry(code)), 'malformed', code);
  });
});

describe('an entry without its figure', () => {
  it('is passed on to be rejected, and never taken for a rate', () => {
    const rateOf = (name: RateProviderName, unit: string, text: string) => {
      const reading = providers[name].read({ status: 200, text, units: UNITS });
      assert.ok(reading.ok, text);
      return reading.rates.find((each) => each.unit === unit)?.rate;
    };
    const shown = [
      ['null', 'null'],
      ['{}', 'no number'],
      ['"x"', 'a text'],
      ['3.9', 'no number'],
    ] as const;
    for (const [entry, rate] of shown) {
      const ether = '"ethereum":{"usd":3483.2,"last_updated_at":1795219200}';
      assert.equal(rateOf('coingecko', 'BTC', `{"bitcoin":${entry},${ether}}`), rate, entry);
      const meta = '"meta":{"last_updated_at":"2026-11-20T23:59:59Z"}';
      const zloty = `{${meta},"data":{"PLN":${entry}}}`;
      assert.equal(rateOf('currencyapi', 'PLN', zloty), rate, entry);
    }
    assert.equal(rateOf('coingecko', 'BTC', '{"ethereum":{"usd":1}}'), undefined);
  });
});
