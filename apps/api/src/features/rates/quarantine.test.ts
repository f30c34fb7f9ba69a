import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import type { Json } from '#test/client.ts';
import { forgetMarket, listed, startRatesDesk } from '#test/rates.ts';
import { outvoted } from './quarantine.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, configure, setKey, run, overview, believed, pair, freshHour, usual } =
  desk;
const URL = '/api/admin/rates';
const waiting = async () =>
  (await admin.get(`${URL}/quarantine`)).body.data.filter((each: Json) => each.decision === null);
const decide = (id: string, decision: string, rate: string) =>
  admin.post(`${URL}/quarantine/${id}/decision`, { decision, rate });

describe('the quarantine', () => {
  beforeEach(freshHour);
  /** Dollars at a thousand times their rate, pounds a little up. */
  async function jump(): Promise<Json> {
    fakes.fixer.rates['USD'] = '1094.7';
    fakes.fixer.rates['GBP'] = '0.86';
    const { outcome, quarantined } = await run();
    assert.deepEqual([outcome, quarantined], ['partial', 1]);
    const [only, ...rest] = await waiting();
    assert.deepEqual(rest, []);
    return only;
  }

  it('holds a jump back and lets the others pass', async () => {
    const row = await jump();
    assert.deepEqual(
      [row.unit, row.rate, row.previous_rate, row.change_percent, row.label],
      ['USD', '1094.7', '1.0947', '99900', 'Fixer'],
    );
    assert.equal((await pair('eur-to-usd')).mid_rate, '1.094700000000000000');
    assert.equal((await believed('GBP')).rate, '0.86');
    assert.match((await believed('USD')).note, /waits for your decision/);
    api.clock.advance(HOUR);
    fakes.fixer.rates['USD'] = '1094.8';
    await run();
    const [seen, ...rest] = await waiting();
    assert.deepEqual([seen.id, seen.rate, rest], [row.id, '1094.8', []]);
    assert.equal((await overview()).quarantine_waiting, 1);
  });

  it('believes what an admin accepts, at once', async () => {
    const { id } = await jump();
    const answer = await decide(id, 'accept', '1094.70');
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(
      [answer.body.data.decision, answer.body.data.decided_by],
      ['accepted', 'Robin Okafor'],
    );
    assert.equal((await pair('eur-to-usd')).mid_rate, '1094.700000000000000000');
    const again = await decide(id, 'refuse', '1094.7');
    assert.deepEqual([again.status, again.body.code], [409, 'already_decided']);
    const [event] = await api.db
      .selectFrom('audit_events')
      .select(['action', 'subject_id', 'data'])
      .where('action', '=', 'rate.accepted')
      .execute();
    assert.deepEqual([event?.subject_id, event?.data?.['reason']], ['USD', 'jump']);
    api.clock.advance(HOUR);
    assert.equal((await run()).quarantined, 0);
    fakes.fixer.rates['USD'] = usual.USD;
    api.clock.advance(HOUR);
    await run();
    const [back] = await waiting();
    assert.equal((await decide(back.id, 'accept', usual.USD)).status, 200);
  });

  it('does not ask again about a figure that an admin refused, but about another one', async () => {
    const { id } = await jump();
    fakes.fixer.asOf = new Date((await waiting())[0].as_of);
    assert.equal((await decide(id, 'refuse', '1094.7')).status, 200);
    assert.equal((await pair('eur-to-usd')).mid_rate, '1.094700000000000000');
    const { refusals, quarantined } = await run();
    assert.deepEqual([quarantined, refusals[0].reason], [0, 'refused_before']);
    fakes.fixer.rates['USD'] = '1095';
    assert.equal((await run()).quarantined, 0);
    fakes.fixer.rates['USD'] = '1120';
    assert.equal((await run()).quarantined, 1);
    // A yes ends what was refused of the unit before.
    const [other] = await waiting();
    assert.equal((await decide(other.id, 'accept', '1120')).status, 200);
    const { body } = await admin.get(`${URL}/quarantine`);
    const said = body.data.map((each: Json) => [each.decision, each.word_until === null]);
    assert.deepEqual(said.slice(0, 2), [
      ['accepted', false],
      ['refused', true],
    ]);
    fakes.fixer.rates['USD'] = usual.USD;
    api.clock.advance(HOUR);
    await run();
    const [back] = await waiting();
    assert.equal((await decide(back.id, 'accept', usual.USD)).status, 200);
  });

  it('asks again about a refused figure once the refusal is taken back', async () => {
    const { id } = await jump();
    await decide(id, 'refuse', '1094.7');
    const url = `${URL}/quarantine/${id}/decision`;
    const back = await admin.delete(url);
    assert.equal(back.status, 200, back.text);
    const { decision, decided_by, word_until } = back.body.data;
    assert.deepEqual([decision, decided_by, word_until], ['withdrawn', 'Robin Okafor', null]);
    const again = await admin.delete(url);
    assert.deepEqual([again.status, again.body.code], [409, 'not_refused']);
    const events = api.db.selectFrom('audit_events').select('subject_id');
    const [event] = await events.where('action', '=', 'rate.refusal_taken_back').execute();
    assert.equal(event?.subject_id, 'USD');
    assert.equal((await run()).quarantined, 1);
    const [question] = await waiting();
    assert.deepEqual([question.rate, question.id === id], ['1094.7', false]);
  });

  it('lists a refusal that still weighs, however much runs have withdrawn since', async () => {
    const { id } = await jump();
    await decide(id, 'refuse', '1094.7');
    const row = await api.db
      .selectFrom('rate_quarantine')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const decided_at = new Date(api.clock.now().getTime() + MINUTE);
    const later = { ...row, decision: 'withdrawn', decided_by: null, decided_at } as const;
    const rows = Array.from({ length: 100 }, () => ({ ...later, id: newId() }));
    await api.db.insertInto('rate_quarantine').values(rows).execute();
    const ids = async () =>
      (await admin.get(`${URL}/quarantine`)).body.data.map((each: Json) => each.id);
    assert.deepEqual([(await ids()).length, (await ids()).at(-1)], [101, id]);
    api.clock.advance(7 * DAY);
    assert.equal((await ids()).includes(id), false);
  });

  it('withdraws the question when a rate comes that is no jump', async () => {
    const { id } = await jump();
    fakes.fixer.rates['USD'] = '1.10';
    api.clock.advance(HOUR);
    assert.equal((await run()).outcome, 'updated');
    assert.deepEqual(await waiting(), []);
    const late = await decide(id, 'accept', '1094.7');
    assert.deepEqual([late.status, late.body.code], [409, 'rate_changed']);
  });

  it('refuses a decision on a rate that has changed meanwhile, and on none', async () => {
    const { id } = await jump();
    const answer = await decide(id, 'accept', '1094.8');
    assert.deepEqual([answer.status, answer.body.code], [409, 'rate_changed']);
    const nobody = await decide('01900000-0000-7000-8000-00000000000f', 'accept', '1');
    assert.equal(nobody.status, 404);
  });
});

describe('what two providers say of one rate in terms of two bases', () => {
  const { fixer, openexchangerates: other } = fakes;
  const usualOther = { ...other.rates };
  /** Fixer says that dollars rose and falls silent, so the other one is asked; its base is the dollar. */
  beforeEach(async () => {
    other.rates = { ...usualOther };
    await forgetMarket(api);
    await freshHour();
    await setKey('openexchangerates');
    await configure({ providers: listed('fixer', 'openexchangerates') });
  });
  async function runOfOther(rates: Json): Promise<void> {
    fixer.mood = 'reset';
    Object.assign(other.rates, rates);
    api.clock.advance(HOUR);
    await run();
  }
  const edges = async () =>
    (await waiting())
      .filter(({ unit }: Json) => unit === 'EUR' || unit === 'USD')
      .map(({ unit, base }: Json) => `${unit}/${base}`)
      .toSorted();

  it('is one question where they say the same, and two where they do not', async () => {
    fixer.rates['USD'] = '1.3136';
    await run();
    await runOfOther({ EUR: '0.5' });
    assert.deepEqual(await edges(), ['EUR/USD', 'USD/EUR']);
    await runOfOther({ EUR: '0.7613' });
    assert.deepEqual(await edges(), ['EUR/USD']);
  });

  it('has a yes end what was refused of the same two the other way round', async () => {
    await runOfOther({ EUR: '1.5' });
    const row = (await waiting()).find(({ unit }: Json) => unit === 'EUR');
    assert.equal((await decide(row.id, 'refuse', row.rate)).status, 200);
    Object.assign(fixer, { mood: 'well', rates: { ...usual, USD: '0.6667' } });
    api.clock.advance(HOUR);
    await run();
    const same = (await waiting()).find(({ unit }: Json) => unit === 'USD');
    assert.equal((await decide(same.id, 'accept', same.rate)).status, 200);
    const words = await outvoted(api.db, api.clock.now());
    assert.deepEqual(
      words.map(({ unit, whose }) => [unit, whose]),
      [['USD', 'others']],
    );
    const { data } = (await admin.get(`${URL}/quarantine`)).body;
    assert.equal(data.find(({ id }: Json) => id === row.id).word_until, null);
  });

  it('has a no hold that was said after the yes to the other, though it was asked before', async () => {
    fixer.rates['USD'] = '1.3136';
    await run();
    await runOfOther({ EUR: '0.5' });
    const [euro, dollar] = await waiting();
    assert.deepEqual([euro.unit, dollar.unit], ['EUR', 'USD']);
    assert.equal((await decide(euro.id, 'accept', euro.rate)).status, 200);
    api.clock.advance(MINUTE);
    assert.equal((await decide(dollar.id, 'refuse', dollar.rate)).status, 200);
    const words = await outvoted(api.db, api.clock.now());
    assert.deepEqual(
      words.map(({ unit, whose }) => [unit, whose]),
      [
        ['USD', 'its'],
        ['EUR', 'others'],
      ],
    );
    const { data } = (await admin.get(`${URL}/quarantine`)).body;
    assert.deepEqual(
      data.map(({ unit, word_until }: Json) => [unit, word_until === null]),
      // In the order of the answers, not of the questions.
      [
        ['USD', false],
        ['EUR', false],
      ],
    );
  });

  it('gets no answer that was meant for the other base, though the figure be the same', async () => {
    fixer.rates['GBP'] = '1.2';
    await run();
    const [seen] = await waiting();
    await runOfOther({ GBP: '1.2' });
    const row = (await waiting()).find(({ unit }: Json) => unit === 'GBP');
    assert.deepEqual([seen.base, row.base, row.rate], ['EUR', 'USD', seen.rate]);
    const late = await decide(seen.id, 'accept', seen.rate);
    assert.deepEqual([late.status, late.body.code], [409, 'rate_changed']);
    assert.equal((await decide(row.id, 'refuse', row.rate)).status, 200);
  });
});
