import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { rateProviders, type RateProviderName } from '@cambist/contract/rate-settings';
import { startRateProviders } from '#test/fakes/rate-providers.ts';
import { fetchRates } from './fetch.ts';
import { providers } from './list.ts';

const fakes = await startRateProviders({ after });
const NOW = new Date('2026-11-21T10:17:31.500Z');
fakes.clock = () => NOW;

const units = ['USD', 'EUR', 'PLN', 'JPY', 'BTC', 'USDT', 'XYZ'];

function fetchFrom(name: RateProviderName, key: string | null = fakes[name].key) {
  return fetchRates(providers[name], { key, units, providersUrl: fakes.url });
}

/** `unit base rate` of each, with `1/` where it is inverted. */
async function ratesOf(name: RateProviderName): Promise<string[]> {
  const reading = await fetchFrom(name);
  assert.ok(reading.ok, JSON.stringify(reading));
  return reading.rates.map(
    ({ unit, base, rate, inverted }) => `${unit} ${base} ${inverted ? '1/' : ''}${rate}`,
  );
}

const perDollar = ['EUR USD 0.913492', 'PLN USD 3.912', 'JPY USD 151.2345'];
const perDollarAndBitcoin = [...perDollar, 'BTC USD 0.000016326531'];
const perEuro = ['USD EUR 1.0947', 'PLN EUR 4.2825', 'JPY EUR 165.556'];

interface Expected {
  readonly path: string;
  readonly rates: readonly string[];
  readonly asOf: string;
}

const quotes = (name: RateProviderName): Expected => ({
  path: `/live?access_key=${fakes[name].key}`,
  rates: perDollarAndBitcoin,
  asOf: '2026-11-21T10:17:00.000Z',
});

const expected: Readonly<Record<RateProviderName, Expected>> = {
  'exchangerate-api': {
    path: '/v6/latest/USD',
    rates: perDollarAndBitcoin,
    asOf: '2026-11-21T00:00:00.000Z',
  },
  openexchangerates: {
    path: '/api/latest.json',
    rates: perDollarAndBitcoin,
    asOf: '2026-11-21T10:00:00.000Z',
  },
  currencylayer: quotes('currencylayer'),
  'exchangerate-host': quotes('exchangerate-host'),
  fixer: {
    path: `/api/latest?access_key=${fakes.fixer.key}`,
    rates: perEuro,
    asOf: '2026-11-21T10:17:00.000Z',
  },
  frankfurter: {
    path: '/v1/latest',
    rates: perEuro,
    asOf: '2026-11-20T00:00:00.000Z',
  },
  currencyapi: {
    path: '/v3/latest?base_currency=USD',
    rates: perDollarAndBitcoin,
    asOf: '2026-11-20T23:59:59.000Z',
  },
  coingecko: {
    path: '/api/v3/simple/price?ids=bitcoin%2Ctether&vs_currencies=usd%2Ceur&include_last_updated_at=true&precision=full',
    rates: [
      'BTC USD 1/61250.512345678901234567',
      'BTC EUR 1/55951.85',
      'USDT USD 1/1.0002',
      'USDT EUR 1/0.91367',
    ],
    asOf: '2026-11-21T10:17:00.000Z',
  },
};

for (const name of rateProviders) {
  const fake = fakes[name];
  const { path, rates, asOf } = expected[name];

  describe(name, () => {
    it('brings all rates by one request, with the time that it gives them', async () => {
      fake.mood = 'well';
      fake.requests.length = 0;
      assert.deepEqual(await ratesOf(name), rates);
      assert.deepEqual(
        fake.requests.map((request) => request.path),
        [path],
      );
      const reading = await fetchFrom(name);
      assert.ok(reading.ok);
      for (const rate of reading.rates) assert.equal(rate.asOf.toISOString(), asOf);
    });

    it('gives what it has where units are missing', async () => {
      const [first] = Object.keys(fake.rates);
      const before = { ...fake.rates };
      for (const unit of Object.keys(fake.rates)) if (unit !== first) delete fake.rates[unit];
      const found = await ratesOf(name);
      assert.equal(found.length, 1);
      fake.rates = {};
      assert.deepEqual(await ratesOf(name), []);
      fake.rates = before;
    });

    it('takes neither rates with an error status nor a success without a time', async () => {
      for (const status of [400, 401, 500, 503]) {
        fake.mood = { wellWith: status };
        const reading = await fetchFrom(name);
        assert.ok(!reading.ok && reading.failure === 'unavailable', JSON.stringify(reading));
      }
      for (const body of [
        '{}',
        '[]',
        'null',
        '1',
        '"words"',
        '{"success":true}',
        '[{"rates":{}}]',
      ]) {
        // CoinGecko's answer to an unknown coin is empty.
        if (name === 'coingecko' && body === '{}') continue;
        fake.mood = { body };
        const reading = await fetchFrom(name);
        assert.ok(
          !reading.ok && reading.failure === 'malformed',
          `${body} ${JSON.stringify(reading)}`,
        );
      }
      fake.mood = 'well';
    });

    it('reads whatever stands in a rate’s place without an error', async () => {
      const unit = name === 'coingecko' ? 'bitcoin.usd' : 'PLN';
      const before = fake.rates[unit] ?? '';
      const shown: readonly (readonly [string, string])[] = [
        ['0', '0'],
        ['-3.9', '-3.9'],
        ['3912', '3912'],
        ['3.912e-9', '0.000000003912'],
        ['null', 'null'],
        ['"3.912"', '"3.912"'],
        ['"NaN"', '"NaN"'],
        [`"${'x'.repeat(64)}"`, 'a text'],
        ['"0123456789abcdef"', 'a text'],
        ['true', 'true'],
        ['[3.912]', 'no number'],
        ['1e400', 'too large'],
        ['123456789.123456789123456789', '123456789.123456789123456789'],
      ];
      for (const [given, rate] of shown) {
        fake.rates[unit] = given;
        const reading = await fetchFrom(name);
        assert.ok(reading.ok, JSON.stringify(reading));
        const found = reading.rates.find(
          (one) => one.unit === (name === 'coingecko' ? 'BTC' : 'PLN'),
        );
        assert.equal(found?.rate, rate, given);
      }
      // These are not JSON, so the whole answer is malformed.
      for (const given of ['NaN', 'Infinity', '-Infinity', '+1', '01', '.5', "'1'"]) {
        fake.rates[unit] = given;
        const reading = await fetchFrom(name);
        assert.ok(!reading.ok && reading.failure === 'malformed', given);
      }
      fake.rates[unit] = before;
    });

    it('is refused with a wrong key', async () => {
      if (name === 'frankfurter') return;
      const wrong = await fetchFrom(name, 'not-the-key-0123456789');
      assert.ok(!wrong.ok && wrong.failure === 'invalid_key', JSON.stringify(wrong));
      assert.equal((await fetchFrom(name, null)).ok, name === 'coingecko');
    });
  });
}

describe('a base', () => {
  it('is given in terms of itself only where it is not 1', async () => {
    const fake = fakes.fixer;
    for (const [one, found] of [
      ['1', []],
      ['1.00', []],
      ['1000', ['EUR EUR 1000']],
      ['null', ['EUR EUR null']],
    ] as const) {
      const time = '"timestamp":1795219200,"base":"EUR"';
      fake.mood = { body: `{"success":true,${time},"rates":{"EUR":${one}}}` };
      assert.deepEqual(await ratesOf('fixer'), found);
    }
    fake.mood = 'well';
  });
});

describe('providers', () => {
  it('ask their own addresses over https, with the key only where it must be in the address', () => {
    for (const provider of Object.values(providers)) {
      const { url } = provider.request({ key: 'SECRET', units, baseUrl: null });
      assert.equal(url.protocol, 'https:');
      const inAddress = ['currencylayer', 'exchangerate-host', 'fixer'].includes(provider.name);
      assert.equal(url.href.includes('SECRET'), inAddress, url.href);
    }
  });
});
