/** https://www.exchangerate-api.com/docs/standard-requests, version 6. */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { field } from './lossless-json.ts';
import type { RateProvider } from './provider.ts';
import { failed, failedByStatus, readJson, readRates, wordsOf } from './reading.ts';

const failures = new Map<string, RateFailure>([
  ['invalid-key', 'invalid_key'],
  ['inactive-account', 'invalid_key'],
  ['quota-reached', 'quota_exceeded'],
  ['plan-upgrade-required', 'plan_restricted'],
  ['unsupported-code', 'unsupported_currency'],
  ['no-data-available', 'unavailable'],
  ['malformed-request', 'malformed'],
]);

const shape = { base: 'base_code', time: 'time_last_update_unix', table: 'conversion_rates' };

export const exchangerateApi: RateProvider = {
  name: 'exchangerate-api',
  label: 'ExchangeRate-API',
  needsKey: true,
  bases: ['USD'],

  // The key is in a header, because URLs are logged.
  request: ({ key, baseUrl }) => ({
    url: new URL(`${baseUrl ?? 'https://v6.exchangerate-api.com'}/v6/latest/USD`),
    headers: { authorization: `Bearer ${key ?? ''}` },
  }),

  read: (answer) =>
    readJson(answer, (body) => {
      // An error has only `result` and `error-type` reliably, and may have status 200.
      const result = field(body, 'result');
      if (result === 'error') {
        const type = wordsOf(field(body, 'error-type'));
        const failure = failures.get(type);
        return failure ? failed(failure, type) : failedByStatus(answer.status, type);
      }
      if (result !== 'success') return null;
      return readRates(answer, body, shape);
    }),
};
