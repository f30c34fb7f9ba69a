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

/** The ids of coins. Tickers are not unique there, so only these are requested. */
const coingeckoIds: ReadonlyMap<string, string> = new Map([
  ['BTC', 'bitcoin'],
  ['ETH', 'ethereum'],
  ['USDT', 'tether'],
  ['USDC', 'usd-coin'],
  ['BNB', 'binancecoin'],
  ['XRP', 'ripple'],
  ['SOL', 'solana'],
  ['TRX', 'tron'],
  ['TON', 'the-open-network'],
  ['LTC', 'litecoin'],
  ['DOGE', 'dogecoin'],
  ['ADA', 'cardano'],
  ['XMR', 'monero'],
  ['BCH', 'bitcoin-cash'],
  ['DASH', 'dash'],
  ['ZEC', 'zcash'],
  ['ETC', 'ethereum-classic'],
  ['DOT', 'polkadot'],
  ['AVAX', 'avalanche-2'],
  ['LINK', 'chainlink'],
  ['ATOM', 'cosmos'],
  ['XLM', 'stellar'],
  ['XTZ', 'tezos'],
  ['UNI', 'uniswap'],
  ['DAI', 'dai'],
  ['TUSD', 'true-usd'],
  ['FDUSD', 'first-digital-usd'],
  ['SHIB', 'shiba-inu'],
  ['NEAR', 'near'],
  ['ALGO', 'algorand'],
  ['HBAR', 'hedera-hashgraph'],
  ['VET', 'vechain'],
  ['ICP', 'internet-computer'],
  ['FIL', 'filecoin'],
  ['AAVE', 'aave'],
  ['ARB', 'arbitrum'],
  ['OP', 'optimism'],
  ['APT', 'aptos'],
  ['SUI', 'sui'],
  ['NEO', 'neo'],
  ['WBTC', 'wrapped-bitcoin'],
]);

/** Two bases, so that a triangle of dollar, euro and coin can be checked. */
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
  // Only this coin is rejected for a missing time.
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
  supports: (unit) => coingeckoIds.has(unit),

  request({ key, units, baseUrl }) {
    const known = units.flatMap((unit) => coingeckoIds.get(unit) ?? []);
    const url = new URL(`${baseUrl ?? 'https://api.coingecko.com'}/api/v3/simple/price`);
    // A request without coins is refused; `bitcoin` tests the connection.
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
      // Unknown coins are omitted, but an answer with other coins only is malformed.
      const strange = Object.keys(body).length > 0 && asked.every(({ coin }) => coin === undefined);
      if (strange && asked.length > 0) return null;
      const rates = asked.flatMap(({ unit, coin }) => ratesOfCoin(unit, coin));
      return { ok: true, rates };
    }),
};
