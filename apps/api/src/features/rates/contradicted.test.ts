/** A witness who contradicts the rate of a base: what stays asked, and is said of it, while it says nothing more. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { newestWords } from '#test/letters.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, believed, freshHour, usual } = desk;
const { fixer, openexchangerates: other, currencylayer: second } = fakes;
const usualOther = { ...other.rates };
const { BTC: _btc, ...withoutCoin } = usual;
const URL = '/api/admin/rates/quarantine';

const waiting = async (): Promise<Json[]> =>
  (await admin.get(URL)).body.data.filter((each: Json) => each.decision === null);
const asked = async () =>
  (await waiting()).map(({ unit, reason }) => `${unit} ${reason}`).toSorted();
const question = async (unit: string): Promise<Json> =>
  (await waiting()).find((each) => each.unit === unit);
const decide = ({ id, rate }: Json, decision: 'accept' | 'refuse') =>
  admin.post(`${URL}/${id}/decision`, { decision, rate });

/** Fixer lacks bitcoins, so the other one is asked too, whose base is the dollar. */
beforeEach(async () => {
  other.rates = { ...usualOther };
  await forgetMarket(api);
  await freshHour();
  await setKey('openexchangerates');
  await configure({ providers: listed('fixer', 'openexchangerates') });
  fixer.rates = { ...withoutCoin };
});

async function nextRun(): Promise<Json> {
  api.clock.advance(HOUR);
  return run();
}

describe('a witness who contradicts the rate of a base, and what it gives in that base', () => {
  it('has said both as long as it is silent: neither is believed, and a yes is possible', async () => {
    other.rates['EUR'] = '0.5';
    await run();
    const { confirmed_at: before } = await believed('GBP');
    assert.deepEqual(await asked(), ['EUR contradicted', 'GBP contradicted']);
    const { seen_at } = await question('GBP');
    other.mood = 'reset';
    fixer.rates = { ...usual, GBP: '0.86' };
    await nextRun();
    const { rate, confirmed_at } = await believed('GBP');
    assert.deepEqual([rate, confirmed_at], [usual.GBP, before]);
    const pound = await question('GBP');
    assert.equal(pound.seen_at, seen_at);
    const answer = await decide(pound, 'accept');
    assert.equal(answer.status, 200, answer.text);
  });

  it('is shown with what is believed of each, also of what has not moved itself', async () => {
    await api.db.deleteFrom('letters').execute();
    other.rates = { ...usualOther, EUR: '0.5', GBP: '0.784' };
    await run();
    const pound = await question('GBP');
    assert.equal(pound.previous_rate.slice(0, 8), '0.784251');
    assert.equal(pound.change_percent.slice(0, 6), '-0.032');
    const words = await newestWords(api, 'rates-waiting');
    assert.match(words, /0\.784 GBP for 1 USD, was 0\.784251\d+… \(-0\.032/);
    // A yes speaks against what Fixer says of both all the same.
    for (const unit of ['EUR', 'GBP'])
      assert.equal((await decide(await question(unit), 'accept')).status, 200, unit);
    await nextRun();
    assert.deepEqual(await asked(), []);
    assert.equal((await believed('GBP')).provider, 'openexchangerates');
    // As long as the one who got the yes is heard.
    other.mood = 'reset';
    await nextRun();
    assert.deepEqual(await asked(), ['USD jump']);
  });
});

describe('who contradicts', () => {
  it('is named with the question and in its letter, until nobody does', async () => {
    await api.db.deleteFrom('letters').execute();
    other.rates['GBP'] = '1.3';
    await run();
    const { id, contradicted_by } = await question('GBP');
    assert.equal(contradicted_by, 'Fixer');
    assert.match(
      await newestWords(api, 'rates-waiting'),
      /by Open Exchange Rates, contradicted by Fixer\. Fixer says 0\.784\d+… GBP \(39\.\d+ % away, of 2026-03-14 \d\d:00 UTC\)"/,
    );
    fixer.mood = 'reset';
    await nextRun();
    const alone = await question('GBP');
    assert.deepEqual([alone.id, alone.reason, alone.contradicted_by], [id, 'jump', null]);
  });

  it('has no name where it was not kept yet, until the next run that hears both', async () => {
    other.rates['GBP'] = '1.3';
    await run();
    await api.db.updateTable('rate_quarantine').set({ contradicted_by: null }).execute();
    assert.equal((await question('GBP')).contradicted_by, null);
    await nextRun();
    const row = await question('GBP');
    assert.equal(row.contradicted_by, 'Fixer');
    const { body } = await decide(row, 'accept');
    assert.equal(body.data.contradicted_by, 'Fixer');
  });
});

/** Beside what a provider has left out. */
const refused = (refusals: readonly Json[]) =>
  refusals
    .filter(({ reason }) => reason !== 'left_out')
    .map(({ unit, reason }) => `${unit} ${reason}`);

describe('a question', () => {
  /** Of pounds that the other one contradicts, and of pounds that Fixer says have jumped. */
  const asks: [string, typeof other, () => void][] = [
    ['contradicted', other, () => (other.rates['GBP'] = '1.3')],
    ['jump', fixer, () => (fixer.rates['GBP'] = '1.9')],
  ];
  const nothings: [string, (asked: typeof other) => void][] = [
    ['null', ({ rates }) => (rates['GBP'] = 'null')],
    ['zero', ({ rates }) => (rates['GBP'] = '0')],
    ['nothing', ({ rates }) => delete rates['GBP']],
    ['what is too old', (asked) => (asked.asOf = new Date(api.clock.now().getTime() - 5 * HOUR))],
  ];
  for (const [reason, asked, cause] of asks)
    for (const [what, give] of nothings)
      it(`(${reason}) is not answered by who asks it and then gives ${what}`, async () => {
        cause();
        await run();
        const row = await question('GBP');
        assert.equal(row.reason, reason);
        const { confirmed_at: before } = await believed('GBP');
        give(asked);
        await nextRun();
        const { id, rate, seen_at } = await question('GBP');
        assert.deepEqual([id, rate, seen_at], [row.id, row.rate, row.seen_at]);
        if (reason === 'jump') return;
        // It contradicts all the same, so the answer may be a yes.
        assert.equal((await believed('GBP')).confirmed_at, before);
        assert.equal((await decide(row, 'accept')).status, 200);
      });

  it('ends by itself where its provider has dropped the unit and what it said is too old', async () => {
    other.rates['GBP'] = '1.3';
    await run();
    delete other.rates['GBP'];
    for (let hour = 1; hour < 3; hour += 1) {
      await nextRun();
      assert.deepEqual(await asked(), ['GBP contradicted'], `after ${hour} hours`);
    }
    await nextRun();
    assert.deepEqual(await asked(), []);
    assert.equal((await believed('GBP')).confirmed_at, api.clock.now().toISOString());
  });

  it('stays as long as its provider names the unit and gives no rate for it', async () => {
    other.rates['GBP'] = '1.3';
    await run();
    other.rates['GBP'] = '0';
    for (let hour = 0; hour < 4; hour += 1) await nextRun();
    assert.deepEqual(await asked(), ['GBP contradicted']);
  });

  it('ends where who asks it says another figure, which waits for its base', async () => {
    await run();
    // So far given in euros, and from now on by the other one in dollars alone.
    delete fixer.rates['GBP'];
    other.rates['GBP'] = '1.3';
    await nextRun();
    const row = await question('GBP');
    fixer.rates['USD'] = '1.3';
    other.rates['GBP'] = '0.785';
    const { refusals } = await nextRun();
    assert.deepEqual(refused(refusals), ['GBP base_waits']);
    assert.deepEqual(await asked(), ['USD jump']);
    const late = await decide(row, 'accept');
    assert.deepEqual([late.status, late.body.code], [409, 'rate_changed']);
    const { rate, note, awaits } = await believed('GBP');
    assert.deepEqual([rate, awaits], [usual.GBP, []]);
    assert.match(note, /gives GBP in terms of USD, and between the two stands a rate that waits/);
  });

  it('ends so too where another one’s figure waits for that base as well', async () => {
    await setKey('currencylayer');
    await configure({ providers: listed('fixer', 'currencylayer', 'openexchangerates') });
    for (const { rates } of [fixer, second]) delete rates['GBP'];
    other.rates['GBP'] = '1.3';
    await nextRun();
    assert.deepEqual(await asked(), ['GBP jump']);
    fixer.rates['USD'] = '1.3';
    second.rates = { GBP: '0.7853' };
    other.rates['GBP'] = '0.785';
    const { refusals } = await nextRun();
    assert.match(refusals[0].message, /^currencylayer gives GBP in terms of USD, and between/);
    assert.deepEqual(await asked(), ['USD jump']);
  });

  for (const [reason, , cause] of asks)
    it(`(${reason}) ends where who asks it says another figure, contradicted and no jump`, async () => {
      cause();
      await run();
      const row = await question('GBP');
      assert.equal(row.reason, reason);
      // Neither is far from what is believed, and they are further apart than two witnesses may be.
      fixer.rates['GBP'] = '0.85';
      other.rates['GBP'] = '0.82';
      const { refusals } = await nextRun();
      assert.deepEqual(refused(refusals), ['GBP contradicted']);
      assert.equal(await question('GBP'), undefined);
      const late = await decide(row, 'accept');
      assert.deepEqual([late.status, late.body.code], [409, 'rate_changed']);
      const { rate, note, awaits } = await believed('GBP');
      assert.deepEqual([rate, awaits], [usual.GBP, []]);
      assert.match(note, /Fixer and Open Exchange Rates differ by more than 2 % about GBP/);
    });
});
