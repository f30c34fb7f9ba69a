/** A desk whose pairs follow the market, with every provider on this machine. */
import assert from 'node:assert/strict';
import { HOUR, SECOND } from '#kernel/clock.ts';
import { rateKeyName, type RateProviderName } from '@cambist/contract/rate-settings';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import type { Cleanup } from '#test/database.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi, type TestApi } from '#test/harness.ts';
import { startRateProviders } from '#test/fakes/rate-providers.ts';

const RATES = '/api/admin/rates';
const SETTINGS = '/api/admin/settings/rate-api';
/** What Fixer gives on a usual day: euros. */
const usual = {
  USD: '1.0947',
  GBP: '0.85852',
  PLN: '4.2825',
  JPY: '165.556',
  BTC: '0.00001786',
} as const;

/** Providers of the settings, by their names alone. */
export function listed(...names: RateProviderName[]) {
  return names.map((name) => ({ name, feed: 'hourly', monthly_quota: null, cadence_hours: 1 }));
}

/** Euros, dollars, pounds and bitcoins; `usd-to-eur` has a rate of its own. Switched off, without keys. */
export async function startRatesDesk(t: Cleanup) {
  const fakes = await startRateProviders(t);
  const api = await startTestApi(t, { env: fakes.environment });
  fakes.clock = api.clock.now;
  fakes.fixer.rates = { ...usual };
  const { client: admin } = await api.asAdmin({ name: 'Robin Okafor' });
  api.clock.set(new Date('2026-03-14T12:00:20Z'));
  for (const unit of ['eur', 'usd', 'gbp', 'btc']) await addCurrency(admin, unit);
  const follow = { rate_mode: 'automatic' } as const;
  await addPair(admin, 'eur', 'usd', follow);
  await addPair(admin, 'usd', 'gbp', follow);
  await addPair(admin, 'btc', 'eur', follow);
  await addPair(admin, 'usd', 'eur', { mid_rate: '0.9' });

  /** Switched on with Fixer alone, unless said otherwise. */
  async function configure(changes: Json = {}): Promise<void> {
    const { version, value } = (await admin.get(SETTINGS)).body.data;
    const providers = [{ name: 'fixer', feed: 'hourly', monthly_quota: 100, cadence_hours: 1 }];
    const answer = await admin.put(SETTINGS, {
      version,
      value: { ...value, enabled: true, providers, ...changes },
    });
    assert.equal(answer.status, 200, answer.text);
  }

  async function setKey(provider: RateProviderName): Promise<void> {
    const url = `${SETTINGS}/secrets/${rateKeyName(provider)}`;
    const answer = await admin.put(url, { secret: fakes[provider].key });
    assert.equal(answer.status, 200, answer.text);
  }

  async function run(): Promise<Json> {
    const answer = await admin.post(`${RATES}/runs`);
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  }

  /** The run of the schedule at the next full hour. */
  async function hourly(): Promise<Json> {
    const hour = Math.floor(api.clock.now().getTime() / HOUR) + 1;
    api.clock.set(new Date(hour * HOUR + 20 * SECOND));
    await api.scheduler.tick(api.clock.now());
    const [newest] = (await admin.get(`${RATES}/runs`, { query: { per_page: 1 } })).body.data;
    assert.equal(newest?.trigger, 'schedule');
    return newest;
  }

  const overview = async (): Promise<Json> => (await admin.get(RATES)).body.data;
  const accepted = async (unit: string): Promise<Json> =>
    (await overview()).rates.find((rate: Json) => rate.unit === unit);
  const pair = (slug: string) =>
    api.db.selectFrom('pairs').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();

  /** An hour after a first run in which all was well. */
  async function freshHour(): Promise<void> {
    await forgetMarket(api);
    for (const name of ['fixer', 'openexchangerates', 'coingecko', 'frankfurter'] as const)
      Object.assign(fakes[name], { mood: 'well', asOf: null });
    fakes.fixer.rates = { ...usual };
    await api.db.deleteFrom('rate_provider_states').execute();
    await api.db.deleteFrom('rate_quarantine').execute();
    api.clock.advance(HOUR);
    await setKey('fixer');
    await configure();
    await run();
    api.clock.advance(HOUR);
  }

  const acts = { configure, setKey, run, hourly, freshHour };
  return { fakes, api, admin, usual, overview, accepted, pair, ...acts };
}

/** No rate was ever accepted. */
async function forgetMarket({ db }: Pick<TestApi, 'db'>): Promise<void> {
  for (const table of ['market_rates', 'market_past', 'market_newest', 'pair_rates'] as const)
    await db.deleteFrom(table).execute();
}

/** The rates' own times are of the test's clock; quotes and states go by the database's. */
export async function seenNow(api: TestApi): Promise<void> {
  await transaction(api.db, async (tx) => {
    await tx
      .updateTable('pairs')
      .set({ mid_confirmed_at: new Date(), mid_fresh_until: new Date(Date.now() + HOUR) })
      .where('rate_mode', '<>', 'manual')
      .execute();
    await api.deps.published.changed(tx, 'converter', 'rates-showcase', 'feeds');
  });
}
