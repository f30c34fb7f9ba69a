/** https://docs.openexchangerates.org/reference/latest-json */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { field } from './lossless-json.ts';
import type { RateProvider } from './provider.ts';
import { failed, failedByStatus, readJson, readRates, tableOf, wordsOf } from './reading.ts';

const failures = new Map<string, RateFailure>([
  ['missing_app_id', 'invalid_key'],
  ['invalid_app_id', 'invalid_key'],
  ['app_id_inactive', 'invalid_key'],
  // It has status 429 and still means the plan.
  ['not_allowed', 'plan_restricted'],
  ['access_restricted', 'quota_exceeded'],
  ['invalid_base', 'unsupported_currency'],
  ['not_available', 'unavailable'],
  ['not_found', 'malformed'],
]);

export const openExchangeRates: RateProvider = {
  name: 'openexchangerates',
  label: 'Open Exchange Rates',
  needsKey: true,
  bases: ['USD'],

  // Without `base` and `symbols`, which the free plan does not have.
  request: ({ key, baseUrl }) => ({
    url: new URL(`${baseUrl ?? 'https://openexchangerates.org'}/api/latest.json`),
    headers: { authorization: `Token ${key ?? ''}` },
  }),

  read: (answer) =>
    readJson(answer, (body) => {
      if (field(body, 'error') !== undefined) {
        const message = wordsOf(field(body, 'message'));
        const detail = wordsOf(field(body, 'description')) || message;
        const failure = failures.get(message);
        return failure ? failed(failure, detail) : failedByStatus(answer.status, detail);
      }
      if (tableOf(body, 'rates') === null) return null;
      return readRates(answer, body, { base: 'base', time: 'timestamp', table: 'rates' });
    }),
};
