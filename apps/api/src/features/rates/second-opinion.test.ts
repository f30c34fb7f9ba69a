/** What other providers say of a rate that waits: whom a run asks for it, and that it decides nothing. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, believed, freshHour, usual, overview, hourly } =
  desk;
const { fixer, openexchangerates: other, frankfurter: bank } = fakes;
const [usualOther, usualBank] = [{ ...other.rates }, { ...bank.rates }];
const three = () =>
  listed('fixer', 'openexchangerates', 'frankfurter').map((each) =>
    each.name === 'frankfurter' ? { ...each, feed: 'central_bank' } : each,
  );

const waiting = async (): Promise<Json[]> =>
  (await admin.get('/api/admin/rates/quarantine')).body.data.filter(
    (each: Json) => each.decision === null,
  );
const question = async (unit: string): Promise<Json> =>
  (await waiting()).find((each) => each.unit === unit);
const said = async (unit: string) =>
  (await question(unit)).opinions.map(({ label, rate, answered }: Json) => [
    label,
    rate?.slice(0, 6) ?? null,
    answered,
  ]);
/** How often each of the others was asked since. */
async function asks(work: () => Promise<unknown>): Promise<number[]> {
  const counts = () => [other.requests.length, bank.requests.length];
  const before = counts();
  await work();
  return counts().map((count, index) => count - (before[index] ?? 0));
}
async function nextRun(rates: Json = {}): Promise<Json> {
  Object.assign(fixer.rates, rates);
  api.clock.advance(HOUR);
  return run();
}

beforeEach(async () => {
  other.rates = { ...usualOther };
  bank.rates = { ...usualBank };
  for (const table of ['market_rates', 'market_past', 'pair_rates', 'letters'] as const)
    await api.db.deleteFrom(table).execute();
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: three() });
});

const OEX = 'Open Exchange Rates';
const BANK = 'Frankfurter (ECB)';

describe('a rate that moved too far', () => {
  it('has one other provider asked, in one request for all that waits, and once', async () => {
    const jumps = { GBP: '1.2', USD: '1.5' };
    let ran: Json;
    assert.deepEqual(await asks(async () => (ran = await nextRun(jumps))), [1, 0]);
    assert.match(ran.attempts.at(-1).message, /asked for a second opinion and gave \d+ rates/);
    for (const unit of ['GBP', 'USD']) {
      const { seen_at, opinions } = await question(unit);
      assert.equal(opinions[0].heard_at, seen_at);
      assert.deepEqual(await said(unit), [[OEX, unit === 'GBP' ? '0.8585' : '1.0947', true]]);
    }
    assert.deepEqual(await asks(nextRun), [0, 0]);
    assert.deepEqual(await said('GBP'), [[OEX, '0.8585', true]]);
    assert.notEqual((await question('GBP')).opinions[0].heard_at, (await question('GBP')).seen_at);
    // Another figure is asked about anew.
    assert.deepEqual(await asks(() => nextRun({ GBP: '1.3' })), [1, 0]);
  });

  it('tells by how much the other is away, also in its letter', async () => {
    other.rates['GBP'] = '1.1';
    await nextRun({ GBP: '1.2' });
    const [opinion] = (await question('GBP')).opinions;
    assert.deepEqual([opinion.agrees, opinion.away_percent.slice(0, 4)], [true, '0.34']);
    const { data } = await api.db
      .selectFrom('letters')
      .select('data')
      .where('kind', '=', 'rates-waiting')
      .executeTakeFirstOrThrow();
    assert.match(
      JSON.stringify(data),
      /by Fixer\. Open Exchange Rates says 1\.204\d+ GBP \(0\.34\d* % away\)"/,
    );
  });

  it('is not believed for it, and nothing else that the other says is judged', async () => {
    const { last_success_at } = (await overview()).providers[1];
    // It contradicts the dollar, were it judged.
    Object.assign(other.rates, { GBP: '0.6', EUR: '0.5' });
    const { accepted, attempts } = await nextRun({ GBP: '1.2' });
    assert.equal((await believed('GBP')).rate, usual.GBP);
    assert.deepEqual([accepted, (await believed('USD')).rate], [2, usual.USD]);
    assert.deepEqual(await said('GBP'), [[OEX, '1.2', true]]);
    assert.deepEqual(
      (await waiting()).map(({ unit }) => unit),
      ['GBP'],
    );
    // It was asked for no turn of its own.
    const [, note] = (await overview()).providers;
    assert.deepEqual([note.last_success_at, note.quota.used], [last_success_at, 1]);
    assert.equal(attempts.length, 2);
  });

  it('asks the next one where the other has no rate of it, or gave no answer', async () => {
    delete other.rates['GBP'];
    assert.deepEqual(await asks(() => nextRun({ GBP: '1.2' })), [1, 0]);
    assert.deepEqual(await said('GBP'), [[OEX, null, true]]);
    bank.mood = 'html';
    assert.deepEqual(await asks(nextRun), [0, 1]);
    assert.deepEqual(await said('GBP'), [
      [BANK, null, false],
      [OEX, null, true],
    ]);
    bank.mood = 'well';
    assert.deepEqual(await asks(nextRun), [0, 1]);
    assert.deepEqual(
      (await said('GBP')).map(([label]: Json) => label),
      [BANK, OEX],
    );
    assert.notEqual((await said('GBP'))[0][1], null);
  });

  it('has nobody asked beyond their plan, and tells where nobody was', async () => {
    const [first, second] = three();
    await configure({ providers: [first, { ...second, monthly_quota: 1 }] });
    assert.deepEqual(await asks(() => nextRun({ GBP: '1.2' })), [1, 0]);
    assert.deepEqual(await asks(() => nextRun({ GBP: '2.4' })), [0, 0]);
    assert.deepEqual((await question('GBP')).opinions, []);
  });

  it('has nobody asked between two turns of the schedule', async () => {
    const [first, second] = three();
    await configure({ providers: [first, { ...second, cadence_hours: 8 }] });
    fixer.mood = 'reset';
    assert.deepEqual(await asks(hourly), [1, 0]);
    Object.assign(fixer, { mood: 'well', rates: { ...usual, GBP: '1.2' } });
    assert.deepEqual(await asks(hourly), [0, 0]);
    assert.deepEqual((await question('GBP')).opinions, []);
  });

  it('is beside the figure of who was heard anyway, and costs no request then', async () => {
    const { BTC: _btc, ...withoutCoin } = usual;
    fixer.rates = { ...withoutCoin, GBP: '1.2' };
    // It is asked for bitcoins.
    assert.deepEqual(await asks(nextRun), [1, 0]);
    assert.deepEqual(await said('GBP'), [[OEX, '0.8585', true]]);
  });
});
