/**
 * How the rate providers answer when all is well, byte for byte as they document
 * it, and how they recognise a caller. Rates are texts of JSON and stand in the
 * answer as they are, whatever they are.
 */
import type { RateProviderName } from '@cambist/contract/rate-settings';

/** A rate as text of JSON by unit: `0.9013`, but `null` and `NaN` too. */
export type Table = Readonly<Record<string, string>>;

export interface Format {
  readonly path: string;
  /** The key that a request carries; null where it carries none. */
  key(url: URL, header: (name: string) => string | null): string | null;
  /** Which documented error a wrong key gets, and none at all; null: it is let in without. */
  readonly refusals: { readonly wrong: string; readonly none: string | null };
  /** How old the rates are that it gives at a time. */
  timeOf(now: Date): Date;
  success(table: Table, asOf: Date, url: URL): string;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const floorTo = (stepMs: number) => (now: Date) =>
  new Date(Math.floor(now.getTime() / stepMs) * stepMs);

const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

function lines(table: Table, indent: string): string {
  return Object.entries(table)
    .map(([unit, rate]) => `${indent}"${unit}":${rate}`)
    .join(indent === '' ? ',' : ',\n');
}

function scheme(name: string, header: string | null): string | null {
  const [given, key] = header?.split(' ') ?? [];
  return given === name && key ? key : null;
}

const rfc = (time: Date) => time.toUTCString().replace('GMT', '+0000');

const exchangerateApi: Format = {
  path: '/v6/latest/USD',
  key: (_url, header) => scheme('Bearer', header('authorization')),
  refusals: { wrong: 'invalid_key', none: 'invalid_key' },
  timeOf: floorTo(DAY_MS),
  success(table, asOf) {
    const next = new Date(asOf.getTime() + DAY_MS);
    return `{
 "result":"success",
 "documentation":"https://www.exchangerate-api.com/docs",
 "terms_of_use":"https://www.exchangerate-api.com/terms",
 "time_last_update_unix":${seconds(asOf)},
 "time_last_update_utc":"${rfc(asOf)}",
 "time_next_update_unix":${seconds(next)},
 "time_next_update_utc":"${rfc(next)}",
 "base_code":"USD",
 "conversion_rates":{
${lines({ USD: '1', ...table }, '  ')}
 }
}`;
  },
};

const openExchangeRates: Format = {
  path: '/api/latest.json',
  key: (url, header) => scheme('Token', header('authorization')) ?? url.searchParams.get('app_id'),
  refusals: { wrong: 'invalid_key', none: 'missing_key' },
  timeOf: floorTo(HOUR_MS),
  success: (table, asOf) => `{
  "disclaimer": "Usage subject to terms: https://openexchangerates.org/terms",
  "license": "https://openexchangerates.org/license",
  "timestamp": ${seconds(asOf)},
  "base": "USD",
  "rates": {
${lines({ ...table, USD: '1' }, '    ').replaceAll('":', '": ')}
  }
}`,
};

const accessKey = (url: URL) => url.searchParams.get('access_key') || null;

function quotes(site: string): Format {
  return {
    path: '/live',
    key: accessKey,
    refusals: { wrong: 'invalid_key', none: 'missing_key' },
    timeOf: floorTo(60_000),
    success(table, asOf) {
      const named = Object.entries(table).map(([unit, rate]) => [`USD${unit}`, rate]);
      return `{"success":true,"terms":"https://${site}/terms","privacy":"https://${site}/privacy","timestamp":${seconds(asOf)},"source":"USD","quotes":{${lines(Object.fromEntries(named), '')}}}`;
    },
  };
}

const fixer: Format = {
  path: '/api/latest',
  key: accessKey,
  refusals: { wrong: 'invalid_key', none: 'missing_key' },
  timeOf: floorTo(60_000),
  success: (table, asOf) =>
    `{"success":true,"timestamp":${seconds(asOf)},"base":"EUR","date":"${asOf.toISOString().slice(0, 10)}","rates":{${lines({ ...table, EUR: '1' }, '')}}}`,
};

const frankfurter: Format = {
  path: '/v1/latest',
  key: () => null,
  refusals: { wrong: 'not_found', none: null },
  timeOf: (now) => floorTo(DAY_MS)(new Date(now.getTime() - DAY_MS)),
  success: (table, asOf) =>
    `{"amount":1.0,"base":"EUR","date":"${asOf.toISOString().slice(0, 10)}","rates":{${lines(table, '')}}}`,
};

const currencyapi: Format = {
  path: '/v3/latest',
  key: (url, header) => header('apikey') ?? url.searchParams.get('apikey'),
  refusals: { wrong: 'invalid_key', none: 'invalid_key' },
  timeOf: (now) => new Date(floorTo(DAY_MS)(now).getTime() - 1000),
  success(table, asOf) {
    const data = Object.entries({ ...table, USD: '1' }).map(
      ([unit, rate]) => `"${unit}":{"code":"${unit}","value":${rate}}`,
    );
    return `{"meta":{"last_updated_at":"${asOf.toISOString().slice(0, 19)}Z"},"data":{${data.join(',')}}}`;
  },
};

/** Its table is by the coin's name and the currency: `bitcoin.usd`. */
const coingecko: Format = {
  path: '/api/v3/simple/price',
  key: (_url, header) => header('x-cg-demo-api-key'),
  refusals: { wrong: 'missing_key', none: null },
  timeOf: floorTo(60_000),
  success(table, asOf, url) {
    const ids = url.searchParams.get('ids')?.split(',') ?? [];
    const currencies = url.searchParams.get('vs_currencies')?.split(',') ?? [];
    const timed = url.searchParams.get('include_last_updated_at') === 'true';
    const coins = ids.flatMap((id) => {
      const prices = currencies.flatMap((currency) => {
        const price = table[`${id}.${currency}`];
        return price === undefined ? [] : [`"${currency}":${price}`];
      });
      const time = timed ? [`"last_updated_at":${seconds(asOf)}`] : [];
      return prices.length === 0 ? [] : [`"${id}":{${[...prices, ...time].join(',')}}`];
    });
    return `{${coins.join(',')}}`;
  },
};

export const formats: Readonly<Record<RateProviderName, Format>> = {
  'exchangerate-api': exchangerateApi,
  openexchangerates: openExchangeRates,
  currencylayer: quotes('currencylayer.com'),
  'exchangerate-host': quotes('exchangerate.host'),
  fixer,
  frankfurter,
  currencyapi,
  coingecko,
};

const perDollar = {
  EUR: '0.913492',
  GBP: '0.78425',
  PLN: '3.912',
  JPY: '151.2345',
  AED: '3.6725',
  KZT: '498.1',
  UAH: '41.25',
  KES: '129.24',
  KWD: '0.30695',
  NGN: '1445.6',
  BTC: '0.000016326531',
} as const;

const perEuro = {
  USD: '1.0947',
  GBP: '0.85852',
  PLN: '4.2825',
  JPY: '165.556',
  AED: '4.0203',
  KZT: '545.27',
  UAH: '45.156',
  KES: '141.479',
  KWD: '0.336018',
  NGN: '1582.50',
} as const;

/** What each gives until a test says otherwise; they agree with each other to a tenth of a percent. */
export const usualRates: Readonly<Record<RateProviderName, Table>> = {
  'exchangerate-api': perDollar,
  openexchangerates: perDollar,
  currencylayer: perDollar,
  'exchangerate-host': perDollar,
  fixer: perEuro,
  frankfurter: perEuro,
  currencyapi: perDollar,
  coingecko: {
    'bitcoin.usd': '61250.512345678901234567',
    'bitcoin.eur': '55951.85',
    'ethereum.usd': '3462.04',
    'ethereum.eur': '3162.546',
    'tether.usd': '1.0002',
    'tether.eur': '0.91367',
    'usd-coin.usd': '0.99991',
    'usd-coin.eur': '0.91341',
    'litecoin.usd': '84.12',
    'litecoin.eur': '76.843',
    'tron.usd': '0.2113',
    'tron.eur': '0.19302',
    'monero.usd': '158.3',
    'monero.eur': '144.606',
  },
};
