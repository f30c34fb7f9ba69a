/** What a run has nothing believed to compare with, and what nobody would say again. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency } from '#test/desk.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';

const { api, admin, fakes, usual, configure, setKey, run, overview, believed, pair } =
  await startRatesDesk({
    after,
  });

it('asks about the first rate of a unit that is far from what pairs were sold at', async () => {
  await configure();
  await setKey('fixer');
  fakes.fixer.rates = { ...usual, USD: '1094.7' };
  const { quarantined, accepted } = await run();
  assert.deepEqual([quarantined, accepted > 0], [1, true]);
  const [asked] = (await admin.get('/api/admin/rates/quarantine')).body.data;
  assert.deepEqual([asked.unit, asked.reason], ['USD', 'jump']);
  assert.match(asked.previous_rate, /^1\.111/);
  assert.equal((await pair('eur-to-usd')).mid_rate, null);
  fakes.fixer.rates = { ...usual };
  assert.equal((await run()).quarantined, 0);
  assert.equal((await believed('USD')).rate, usual.USD);
});

it('compares it with a rate set by hand however long it holds, and not with a pair that is off', async () => {
  const off = async (isActive: boolean) =>
    api.db
      .updateTable('pairs')
      .set({ active: isActive })
      .where('slug', '=', 'usd-to-eur')
      .execute();
  const begin = async () => {
    for (const table of ['market_rates', 'market_past', 'rate_provider_states'] as const)
      await api.db.deleteFrom(table).execute();
    await sql`update pair_rates set in_force_from = in_force_from - interval '30 days'`.execute(
      api.db,
    );
    api.clock.advance(HOUR);
  };
  await configure();
  fakes.fixer.rates = { ...usual, USD: '1094.7' };
  await begin();
  assert.equal((await run()).quarantined, 1);
  await off(false);
  await begin();
  assert.equal((await run()).quarantined, 0);
  await off(true);
});

it('asks a provider before it has something new, where another has replaced its rates', async () => {
  const first = fakes['exchangerate-api'];
  await forgetMarket(api);
  await setKey('exchangerate-api');
  api.clock.set(new Date('2026-03-16T10:00:20Z'));
  const daily = listed('exchangerate-api').map((each) => ({ ...each, feed: 'daily' }));
  const outcomes = ({ attempts }: Json) => attempts.map(({ outcome }: Json) => outcome);
  await configure({ providers: daily, jump_percent: '50' });
  assert.deepEqual(outcomes(await run()), ['ok']);
  api.clock.advance(HOUR);
  assert.deepEqual(outcomes(await run()), ['not_due']);
  await configure({ providers: listed('fixer'), jump_percent: '50' });
  await run();
  assert.equal((await believed('GBP')).provider, 'fixer');
  await configure({ providers: daily, jump_percent: '50' });
  const before = first.requests.length;
  assert.deepEqual(outcomes(await run()), ['ok']);
  assert.equal(first.requests.length, before + 1);
  assert.equal((await believed('GBP')).provider, 'exchangerate-api');
  assert.deepEqual(outcomes(await run()), ['not_due']);
});

it('does not miss the base of a provider that answered, nor what waits', async () => {
  await addCurrency(admin, 'aed');
  for (const table of ['market_rates', 'market_past', 'rate_provider_states'] as const)
    await api.db.deleteFrom(table).execute();
  await configure({ providers: listed('fixer'), jump_percent: '10' });
  fakes.fixer.rates = { USD: '1.6', AED: '4.02' };
  const { quarantined, accepted, missing } = await run();
  assert.deepEqual([quarantined, accepted, missing], [1, 1, ['BTC', 'GBP']]);
  assert.deepEqual((await overview()).missing, ['BTC', 'GBP']);
});
