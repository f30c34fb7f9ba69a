/** https://docs.coingecko.com, version 3: coins, each in dollars and in euros. */
import type { RateFailure } from '@cambist/contract/rate-settings';
import { field, isObject, type Json } from './lossless-json.ts';
import type { Quote, RateProvider, Reading } from './provider.ts';
import {
  codeOf,
  failed,
  failedByStatus,
  NO_TIME,
  rateText,
  readJson,
  timeOf,
  withoutFigure,
  wordsOf,
} from './reading.ts';
import { coingeckoIds } from './coingecko-ids.ts';

/** Two, so that dollar, euro and coin are a triangle that can be checked. */
const BASES = ['USD', 'EUR'] as const;

const failures = new Map<string, RateFailure>([
  ['10002', 'invalid_key'],
  ['10005', 'plan_restricted'],
  ['10010', 'invalid_key'],
  ['10011', 'invalid_key'],
  ['1020', 'unavailable'],
]);

/** Its errors have three shapes: `status`, `error.status`, and `error` as text. */
function errorOf(httpStatus: number, body: Json): Reading | null {
  const error = field(body, 'error');
  const status = field(body, 'status') ?? field(error, 'status');
  if (error === undefined && status === undefined) return null;
  const code = codeOf(field(status, 'error_code'));
  const words = wordsOf(field(status, 'error_message')) || wordsOf(error);
  const detail = words || `error ${code}`;
  const failure = failures.get(code);
  return failure
    ? failed(failure, detail)
    : failedByStatus(code === '429' ? 429 : httpStatus, detail);
}

function ratesOfCoin(unit: string, coin: Json | undefined): Quote[] {
  if (coin === undefined) return [];
  // A coin without a time is refused alone: the others have theirs.
  const asOf = timeOf(field(coin, 'last_updated_at')) ?? NO_TIME;
  const given = BASES.flatMap((base) => {
    const value = field(coin, base.toLowerCase());
    return value === undefined ? [] : [{ unit, base, rate: rateText(value), inverted: true, asOf }];
  });
  if (given.length > 0) return given;
  return [{ unit, base: 'USD', rate: rateText(withoutFigure(coin)), inverted: true, asOf }];
}

export const coingecko: RateProvider = {
  name: 'coingecko',
  label: 'CoinGecko',
  needsKey: false,
  bases: BASES,
  carries: (unit) => coingeckoIds.has(unit),

  request({ key, units, baseUrl }) {
    const known = units.flatMap((unit) => coingeckoIds.get(unit) ?? []);
    const url = new URL(`${baseUrl ?? 'https://api.coingecko.com'}/api/v3/simple/price`);
    // It refuses a request without coins; the first one serves to test the way to it.
    url.searchParams.set('ids', known.length > 0 ? [...new Set(known)].join(',') : 'bitcoin');
    url.searchParams.set('vs_currencies', 'usd,eur');
    url.searchParams.set('include_last_updated_at', 'true');
    url.searchParams.set('precision', 'full');
    return { url, headers: key === null ? {} : { 'x-cg-demo-api-key': key } };
  },

  read: (answer) =>
    readJson(answer, (body) => {
      if (!isObject(body)) return null;
      const error = errorOf(answer.status, body);
      if (error !== null) return error;
      const asked = [...new Set(answer.units)].flatMap((unit) => {
        const id = coingeckoIds.get(unit);
        return id === undefined ? [] : [{ unit, coin: field(body, id) }];
      });
      // It leaves out a coin that it does not know; nothing but strangers is another answer.
      const strange = Object.keys(body).length > 0 && asked.every(({ coin }) => coin === undefined);
      if (strange && asked.length > 0) return null;
      const rates = asked.flatMap(({ unit, coin }) => ratesOfCoin(unit, coin));
      return { ok: true, rates, nextUpdateAt: null };
    }),
};
