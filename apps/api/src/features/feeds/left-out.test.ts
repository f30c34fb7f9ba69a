/** What no monitor is told of: states, reserves, cities, exclusions, what it would refuse, and everything. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import { feedFiles } from '@cambist/contract/feeds';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, stock } from '#test/desk.ts';
import { readXml, setFeeds, startFeedsDesk } from '#test/factories/feeds.ts';

const { api, admin, guest, path, overview, changePair } = await startFeedsDesk({ after });
const lines = async () => (await guest.get(path('rates.txt'))).text;
const gaps = async () =>
  Object.fromEntries(
    (await overview()).left_out.map(({ pair, reasons }: Json) => [pair, reasons[0].reason]),
  );

describe('what is left out', () => {
  const gone = async (pattern: RegExp) => assert.doesNotMatch(await lines(), pattern);

  it('has no reserve for its least payout', async () => {
    assert.equal((await gaps())['eur-to-usd'], 'no_reserve');
    await gone(/^SEPAEUR;PMUSD/m);
    await addCurrency(admin, 'gbp', { min_receive: '100' });
    await addPair(admin, 'usd', 'gbp');
    await stock(admin, 'gbp', '99.99');
    assert.equal((await gaps())['usd-to-gbp'], 'no_reserve');
    await stock(admin, 'gbp', '0.01');
    // A reserve moves without a word, so the next reading has it.
    await changePair('usd-to-gbp', { position: 9 });
    assert.match(await lines(), /^PMUSD;GBP;.*;100;;$/m);
    await changePair('usd-to-gbp', { active: false });
    assert.equal((await gaps())['usd-to-gbp'], 'paused');
    await gone(/GBP/);
  });

  it('is stale; a delayed rate is held for fewer minutes', async () => {
    const heard = async (ms: number) => {
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
      // What is changed behind the desk's back is seen with the next reading.
      await changePair('btc-to-eur', { position: 2 });
    };
    const minutes = async () =>
      (await guest.get(path('rates.csv'))).text.split('\r\n')[2]?.split(',')[7];
    await heard(0);
    assert.equal(await minutes(), '20');
    await heard(100 * MINUTE);
    assert.equal(await minutes(), '5');
    await heard(7 * HOUR);
    assert.equal((await gaps())['btc-to-eur'], 'stale');
    await gone(/^BTC/m);
    await heard(0);
  });

  it('is outside its working hours', async () => {
    const day = ((new Date().getUTCDay() + 2) % 7) + 1;
    await changePair('btc-to-eur', { hours: [{ days: [day], from: '09:00', to: '10:00' }] });
    assert.equal((await gaps())['btc-to-eur'], 'closed');
    await gone(/^BTC/m);
    await changePair('btc-to-eur', { hours: null });
    assert.match(await lines(), /^BTC/m);
  });

  it('is what the settings say', async () => {
    await setFeeds(admin, { excluded: ['btc-to-eur', 'gone-to-eur'] });
    assert.equal((await gaps())['btc-to-eur'], 'excluded');
    await gone(/^BTC/m);
    const [finding] = (await overview()).findings;
    assert.deepEqual([finding.severity, finding.fault], ['warning', 'name_unknown']);
    await setFeeds(admin, { excluded: [] });
  });

  it('is cash without a city', async () => {
    await setFeeds(admin, { cities: [] });
    assert.equal((await gaps())['usd-to-cash'], 'no_city');
    await gone(/CASH/);
    await setFeeds(admin, { cities: [{ currency: 'cash', cities: ['MSK'] }] });
    assert.match(await lines(), /CASHUSD;.*;MSK;$/m);
  });

  it('is what a monitor would refuse', async () => {
    // The database itself keeps codes apart: only behind its back are two the same.
    await sql`alter table currencies drop constraint currencies_export_code_key`.execute(api.db);
    const code = (slug: string, export_code: string) =>
      api.db.updateTable('currencies').set({ export_code }).where('slug', '=', slug).execute();
    await code('btc', 'PMUSD');
    await changePair('btc-to-eur', { position: 3 });
    const { left_out, findings } = await overview();
    const refused = left_out.find(({ pair }: Json) => pair === 'btc-to-eur');
    assert.deepEqual(
      refused.reasons.map(({ reason }: Json) => reason),
      ['rejected', 'rejected'],
    );
    assert.deepEqual(
      findings.map(({ severity, fault, pair }: Json) => [severity, fault, pair]),
      [
        ['error', 'code_doubled', 'btc-to-eur'],
        ['error', 'direction_doubled', 'btc-to-eur'],
      ],
    );
    await code('btc', 'BTC');
  });

  it('is everything while the feeds are switched off: the files stay valid', async () => {
    await setFeeds(admin, { enabled: false });
    for (const file of ['bestchange.xml', 'bestchange-1.1.xml']) {
      const answer = await guest.get(path(file));
      assert.equal(answer.status, 200);
      assert.deepEqual(await readXml(api.db, answer.text), []);
    }
    const { exchange, currencies } = (await guest.get(path('rates-1.3.json'))).body;
    assert.deepEqual([exchange, currencies], [{}, { list: {}, amounts: {} }]);
    assert.equal(await lines(), '');
    assert.match((await guest.get(path('rates.csv'))).text, /^from,[a-z,]+\r\n$/);
    const off = await overview();
    assert.ok(off.files.every(({ items }: Json) => items === 0));
    assert.ok(off.items.length > 0);
    await setFeeds(admin, { enabled: true, files: ['rates.txt'] });
    assert.notEqual(await lines(), '');
    assert.deepEqual(await readXml(api.db, (await guest.get(path('bestchange.xml'))).text), []);
    await setFeeds(admin, { files: [...feedFiles] });
  });
});
