/**
 * The services of APILayer: Fixer (https://fixer.io/documentation), currencylayer
 * (https://currencylayer.com/documentation) and exchangerate.host
 * (https://exchangerate.host/documentation). They share a list of errors, often with status 200, which
 * their marketplace wraps differently.
 */
import type { RateFailure, RateProviderName } from '@cambist/contract/rate-settings';
import { field, type Json } from './lossless-json.ts';
import type { RateAnswer, RateProvider, Reading } from './provider.ts';
import {
  codeOf,
  failed,
  failedByStatus,
  readJson,
  readRates,
  wordsOf,
  type Shape,
} from './reading.ts';

const failures = new Map<string, RateFailure>([
  ['invalid_access_key', 'invalid_key'],
  ['missing_access_key', 'invalid_key'],
  ['inactive_user', 'invalid_key'],
  ['usage_limit_reached', 'quota_exceeded'],
  ['monthly_usage_limit_reached', 'quota_exceeded'],
  ['rate_limit_reached', 'rate_limited'],
  ['too_many_requests', 'rate_limited'],
  // The numbers, for a type that is not listed.
  ['101', 'invalid_key'],
  ['102', 'invalid_key'],
  ['103', 'malformed'],
  ['104', 'quota_exceeded'],
  ['105', 'plan_restricted'],
  ['106', 'unavailable'],
  ['201', 'unsupported_currency'],
  ['202', 'unsupported_currency'],
  ['404', 'malformed'],
  ['429', 'rate_limited'],
]);

/** Null where the body is no error. */
function errorOf({ status }: RateAnswer, body: Json): Reading | null {
  const error = field(body, 'error');
  if (error === undefined) {
    // The marketplace's gateway: `{"message":"Invalid authentication credentials"}`.
    const message = wordsOf(field(body, 'message'));
    if (message !== '') return failedByStatus(status, message);
    return field(body, 'success') === false ? failedByStatus(status, 'success: false') : null;
  }
  const type = wordsOf(field(error, 'type'));
  const code = codeOf(field(error, 'code'));
  const words = wordsOf(field(error, 'info')) || wordsOf(field(error, 'message'));
  const detail = words || type || `error ${code}`;
  const failure = type.endsWith('_access_restricted')
    ? 'plan_restricted'
    : (failures.get(type) ?? failures.get(code));
  return failure ? failed(failure, detail) : failedByStatus(status, detail);
}

/** `{"base":"EUR","rates":{"USD":1.0873}}` */
const RATES: Shape = { base: 'base', time: 'timestamp', table: 'rates' };
/** `{"source":"USD","quotes":{"USDEUR":0.919677}}` */
const QUOTES: Shape = {
  base: 'source',
  time: 'timestamp',
  table: 'quotes',
  nameOf: (base, unit) => base + unit,
};

function readAnswer(answer: RateAnswer, shape: Shape): Reading {
  return readJson(answer, (body) => {
    const error = errorOf(answer, body);
    if (error !== null) return error;
    return field(body, 'success') === true ? readRates(answer, body, shape) : null;
  });
}

function service(
  name: RateProviderName,
  label: string,
  { origin, path, base, shape }: { origin: string; path: string; base: string; shape: Shape },
): RateProvider {
  return {
    name,
    label,
    needsKey: true,
    bases: [base],

    // All currencies, since an unknown one would fail the whole request (202).
    request({ key, baseUrl }) {
      const url = new URL(`${baseUrl ?? origin}${path}`);
      url.searchParams.set('access_key', key ?? '');
      return { url, headers: {} };
    },

    read: (answer) => readAnswer(answer, shape),
  };
}

/** Without `base`, since the free plan has euros only. */
export const fixer = service('fixer', 'Fixer', {
  origin: 'https://data.fixer.io',
  path: '/api/latest',
  base: 'EUR',
  shape: RATES,
});

export const currencylayer = service('currencylayer', 'currencylayer', {
  origin: 'https://api.currencylayer.com',
  path: '/live',
  base: 'USD',
  shape: QUOTES,
});

export const exchangerateHost = service('exchangerate-host', 'exchangerate.host', {
  origin: 'https://api.exchangerate.host',
  path: '/live',
  base: 'USD',
  shape: QUOTES,
});
