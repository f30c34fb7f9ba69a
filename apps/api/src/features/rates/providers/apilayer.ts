/**
 * What the services of APILayer have in common: currencylayer, exchangerate.host
 * and Fixer know one list of errors, with 200 as often as not, and their
 * marketplace another shape of it.
 */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { field, type Json } from './lossless-json.ts';
import type { RateAnswer, Reading } from './provider.ts';
import {
  codeOf,
  failed,
  failedByStatus,
  lacking,
  ratesOf,
  readJson,
  tableOf,
  timeOf,
  unitOf,
  wordsOf,
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

/**
 * `base` is the field that names the unit that the rates are of, `table` the
 * field that holds them, and `nameOf` what a unit is called in it.
 */
export function readApilayer(
  answer: RateAnswer,
  shape: { base: string; table: string; nameOf: (base: string, unit: string) => string },
): Reading {
  return readJson(answer, (body) => {
    const error = errorOf(answer, body);
    if (error !== null) return error;
    if (field(body, 'success') !== true) return null;
    const base = unitOf(field(body, shape.base));
    const asOf = timeOf(field(body, 'timestamp'));
    const find = tableOf(body, shape.table);
    if (base === null) return lacking(shape.base);
    if (asOf === null) return lacking('timestamp');
    if (find === null) return lacking(shape.table);
    const rates = ratesOf(answer, base, asOf, (unit) => find(shape.nameOf(base, unit)));
    return { ok: true, rates, nextUpdateAt: null };
  });
}

/** `{"source":"USD","quotes":{"USDEUR":0.919677}}` */
export function readQuotes(answer: RateAnswer): Reading {
  return readApilayer(answer, {
    base: 'source',
    table: 'quotes',
    nameOf: (base, unit) => base + unit,
  });
}

/** These services take their key in the address only. */
export function keyedAddress(address: string, key: string | null): URL {
  const url = new URL(address);
  url.searchParams.set('access_key', key ?? '');
  return url;
}
