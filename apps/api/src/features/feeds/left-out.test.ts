/** Pairs that are left out of the feeds: by state, reserve, city, exclusion and switch. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { feedFiles } from '@cambist/contract/feeds';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import { readXml, setFeeds, startFeedsDesk } from '#test/factories/feeds.ts';

const { api, admin, guest, path, overview, changePair } = await startFeedsDesk({ after });
const lines = async () => (await guest.get(path('rates.txt'))).text;
const gaps = async () =>
  Object.fromEntries((await overview()).left_out.map(({ pair, reason }: Json) => [pair, reason]));

describe('a pair that is left out', () => {
  const isAbsent = async (pattern: RegExp) => assert.doesNotMatch(await lines(), pattern);

  it('has no reserve for its least payout', async () => {
    assert.equal((await gaps())['eur-to-usd'], 'no_reserve');
    await isAbsent(/^SEPAEUR;PMUSD/m);
    await addCurrency(admin, 'gbp', { min_receive: '100' });
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '99.99');
    assert.equal((await gaps())['usd-to-gbp'], 'no_reserve');
    await stock(admin, 'gbp', '0.01');
    // A reserve is only read with the next reading.
    await changePair('usd-to-gbp', { position: 9 });
    assert.match(await lines(), /^PMUSD;GBP;.*;100;;$/m);
    await changePair('usd-to-gbp', { active: false });
    assert.equal((await gaps())['usd-to-gbp'], 'paused');
    await isAbsent(/GBP/);
  });

  it('is stale; a delayed one has fewer lock minutes', async () => {
    const confirmed = async (ms: number) => {
      await api.db
        .updateTable('pairs')
        .set({
          rate_mode: 'automatic',
          mid_source: 'fixer',
          mid_confirmed_at: new Date(Date.now() - ms),
          mid_fresh_until: new Date(Date.now() + DAY),
        })
        .where('slug', '=', 'btc-to-eur')
        .execute();
      // A direct change of the row is only read with the next reading.
      await changePair('btc-to-eur', { position: 2 });
    };
    const minutes = async () =>
      /<from>BTC<.*<floating>(\d+)</.exec((await guest.get(path('bestchange.xml'))).text)?.[1];
    await confirmed(0);
    assert.equal(await minutes(), '20');
    await confirmed(100 * MINUTE);
    assert.equal(await minutes(), '5');
    await confirmed(7 * HOUR);
    assert.equal((await gaps())['btc-to-eur'], 'stale');
    await isAbsent(/^BTC/m);
    await confirmed(0);
  });

  it('is outside its working hours', async () => {
    const day = ((new Date().getUTCDay() + 2) % 7) + 1;
    await changePair('btc-to-eur', { hours: [{ days: [day], from: '09:00', to: '10:00' }] });
    assert.equal((await gaps())['btc-to-eur'], 'closed');
    await isAbsent(/^BTC/m);
    await changePair('btc-to-eur', { hours: null });
    assert.match(await lines(), /^BTC/m);
  });

  it('is excluded by the settings', async () => {
    await setFeeds(admin, { excluded: ['btc-to-eur', 'gone-to-eur'] });
    assert.equal((await gaps())['btc-to-eur'], 'excluded');
    await isAbsent(/^BTC/m);
    await setFeeds(admin, { excluded: [] });
  });

  it('is cash without a city', async () => {
    await setFeeds(admin, { cities: [] });
    assert.equal((await gaps())['usd-to-cash'], 'no_city');
    await isAbsent(/CASH/);
    await setFeeds(admin, { cities: [{ currency: 'cash', cities: ['MSK'] }] });
    assert.match(await lines(), /CASHUSD;.*;MSK;$/m);
  });

  it('is any pair while the feeds are switched off, and the files stay valid', async () => {
    await setFeeds(admin, { enabled: false });
    for (const file of ['bestchange.xml', 'bestchange-1.1.xml']) {
      const answer = await guest.get(path(file));
      assert.equal(answer.status, 200);
      assert.deepEqual(await readXml(api.db, answer.text), []);
    }
    const { exchange, currencies } = (await guest.get(path('rates-1.3.json'))).body;
    assert.deepEqual([exchange, currencies], [{}, { list: {}, amounts: {} }]);
    assert.equal(await lines(), '');
    const off = await overview();
    assert.ok(off.files.every(({ items }: Json) => items === 0));
    assert.ok(off.items.length > 0);
    await setFeeds(admin, { enabled: true, files: ['rates.txt'] });
    assert.notEqual(await lines(), '');
    assert.deepEqual(await readXml(api.db, (await guest.get(path('bestchange.xml'))).text), []);
    await setFeeds(admin, { files: [...feedFiles] });
  });
});
