import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import {
  rateProviders,
  type RateFailure,
  type RateProviderName,
} from '@cambist/contract/rate-settings';
import { documentedErrors } from '#test/fakes/rate-provider-errors.ts';
import { startRateProviders } from '#test/fakes/rate-providers.ts';
import { fetchRates } from './fetch.ts';
import { providers } from './list.ts';

const fakes = await startRateProviders({ after });

type Meanings = Readonly<Record<string, RateFailure>>;

const apilayer: Meanings = {
  invalid_key: 'invalid_key',
  missing_key: 'invalid_key',
  inactive: 'invalid_key',
  endpoint: 'malformed',
  quota: 'quota_exceeded',
  quota_monthly: 'quota_exceeded',
  plan: 'plan_restricted',
  no_results: 'unavailable',
  rate_limit: 'rate_limited',
  currencies: 'unsupported_currency',
  date: 'malformed',
  not_found: 'malformed',
  marketplace: 'invalid_key',
  gateway: 'invalid_key',
  gateway_month: 'quota_exceeded',
};

const quotes: Meanings = { ...apilayer, source: 'unsupported_currency' };

const meanings: Readonly<Record<RateProviderName, Meanings>> = {
  'exchangerate-api': {
    unsupported: 'unsupported_currency',
    malformed: 'malformed',
    invalid_key: 'invalid_key',
    inactive: 'invalid_key',
    quota: 'quota_exceeded',
    quota_200: 'quota_exceeded',
    plan: 'plan_restricted',
    no_data: 'unavailable',
  },
  openexchangerates: {
    invalid_key: 'invalid_key',
    missing_key: 'invalid_key',
    plan: 'plan_restricted',
    quota: 'quota_exceeded',
    base: 'unsupported_currency',
    not_available: 'unavailable',
    not_found: 'malformed',
  },
  currencylayer: quotes,
  'exchangerate-host': quotes,
  fixer: { ...apilayer, https: 'plan_restricted', base: 'unsupported_currency' },
  frankfurter: { not_found: 'unavailable', unprocessable: 'malformed', unavailable: 'unavailable' },
  currencyapi: {
    invalid_key: 'invalid_key',
    plan: 'plan_restricted',
    not_found: 'unavailable',
    base: 'unsupported_currency',
    currencies: 'unsupported_currency',
    date: 'malformed',
    rate_limit: 'rate_limited',
    quota: 'quota_exceeded',
    server: 'unavailable',
  },
  coingecko: {
    missing_key: 'invalid_key',
    plan: 'plan_restricted',
    pro_key: 'invalid_key',
    demo_key: 'invalid_key',
    nested: 'invalid_key',
    flat: 'malformed',
    rate_limit: 'rate_limited',
    quota: 'quota_exceeded',
    server: 'unavailable',
    cloudflare: 'rate_limited',
    firewall: 'unavailable',
  },
};

for (const name of rateProviders) {
  it(`knows each documented error of ${name}, and passes on its words`, async () => {
    const errors = documentedErrors[name];
    // Both lists have the same errors, so that each is tested.
    assert.deepEqual(Object.keys(errors).toSorted(), Object.keys(meanings[name]).toSorted());
    for (const [error, failure] of Object.entries(meanings[name])) {
      fakes[name].mood = { error };
      const { key } = fakes[name];
      const options = { key, units: ['USD', 'PLN', 'BTC'], providersUrl: fakes.url };
      const reading = await fetchRates(providers[name], options);
      assert.ok(!reading.ok, error);
      assert.equal(reading.failure, failure, `${error}: ${reading.detail}`);
      assert.ok(reading.detail.length > 3 && reading.detail.length <= 300, reading.detail);
    }
  });
}
