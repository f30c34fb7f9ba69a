/** One no to all that a run has asked: each decided once, all of them or none. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { forgetMarket, startRatesDesk } from '#test/rates.ts';

const desk = await startRatesDesk({ after });
const { fakes, api, admin, run, pair, freshHour, usual } = desk;
const URL = '/api/admin/rates/quarantine';

const list = async (): Promise<Json[]> => (await admin.get(URL)).body.data;
const waiting = async () => (await list()).filter(({ decision }) => decision === null);
const refuseAll = (rates: readonly Json[]) =>
  admin.post(`${URL}/refusals`, { rates: rates.map(({ id, rate }) => ({ id, rate })) });
const units = (rates: readonly Json[]) => rates.map(({ unit }) => unit).toSorted();
const refused = async () => units((await list()).filter(({ decision }) => decision === 'refused'));
const refusals = () =>
  api.db
    .selectFrom('audit_events')
    .select('subject_id')
    .where('action', '=', 'rate.refused')
    .orderBy('id')
    .execute();
/** None can be taken from the log: those of before are left out. */
let before = 0;
const audited = async () =>
  (await refusals())
    .slice(before)
    .map(({ subject_id }) => subject_id)
    .toSorted();

beforeEach(async () => {
  await forgetMarket(api);
  await freshHour();
  before = (await refusals()).length;
  fakes.fixer.rates = { ...usual, USD: '1.5', GBP: '1.2', BTC: '0.00003' };
  assert.equal((await run()).quarantined, 3);
});

describe('GET /api/admin/rates/quarantine', () => {
  it('lists those that wait by their units, in whatever order and run they were asked', async () => {
    const order = async () => (await waiting()).map(({ unit }) => unit);
    assert.deepEqual(await order(), ['BTC', 'GBP', 'USD']);
    const [coin] = await waiting();
    await admin.post(`${URL}/${coin.id}/decision`, { decision: 'refuse', rate: coin.rate });
    fakes.fixer.rates['BTC'] = '0.00005';
    api.clock.advance(MINUTE);
    await run();
    assert.deepEqual(await order(), ['BTC', 'GBP', 'USD']);
  });
});

describe('POST /api/admin/rates/quarantine/refusals', () => {
  it('refuses each of them as one by one, and their pairs go on', async () => {
    assert.equal((await pair('usd-to-gbp')).mid_awaits.length, 2);
    const { status, text, body } = await refuseAll(await waiting());
    assert.equal(status, 200, text);
    assert.deepEqual(
      body.data.map(({ decision, decided_by, word_until }: Json) => [
        decision,
        decided_by,
        word_until !== null,
      ]),
      Array.from({ length: 3 }, () => ['refused', 'Robin Okafor', true]),
    );
    assert.deepEqual(await audited(), ['BTC', 'GBP', 'USD']);
    // Said at one time, they stand in the order in which they waited.
    assert.deepEqual(
      (await list()).map(({ unit }) => unit),
      ['BTC', 'GBP', 'USD'],
    );
    assert.deepEqual((await pair('usd-to-gbp')).mid_awaits, []);
    const { quarantined, refusals: told } = await run();
    assert.deepEqual([quarantined, units(told)], [0, ['BTC', 'GBP', 'USD']]);
  });

  it('refuses none where one was decided on, has another figure, or is not there', async () => {
    const rows = await waiting();
    const other = rows.map((row) => (row.unit === 'USD' ? { ...row, rate: '1.6' } : row));
    const changed = await refuseAll(other);
    assert.deepEqual([changed.status, changed.body.code], [409, 'rate_changed']);
    const twice = await refuseAll([...rows, ...rows.slice(0, 1)]);
    assert.deepEqual([twice.status, twice.body.code], [409, 'already_decided']);
    const nobody = { id: '01900000-0000-7000-8000-00000000000f', rate: '1' };
    assert.equal((await refuseAll([...rows, nobody])).status, 404);
    assert.deepEqual([await refused(), await audited()], [[], []]);
    const [first] = rows;
    await admin.post(`${URL}/${first.id}/decision`, { decision: 'accept', rate: first.rate });
    const late = await refuseAll(rows);
    assert.deepEqual([late.status, late.body.code], [409, 'already_decided']);
    assert.deepEqual([await refused(), (await waiting()).length], [[], 2]);
  });

  it('takes no empty list and no more than the page shows', async () => {
    const [row] = await waiting();
    assert.equal((await refuseAll([])).status, 422);
    assert.equal((await refuseAll(Array.from({ length: 101 }, () => row))).status, 422);
  });

  it('is decided once where several answer at the same time', async () => {
    const rows = await waiting();
    const [first] = rows;
    const one = { decision: 'refuse', rate: first.rate };
    const answers = await Promise.all([
      refuseAll(rows),
      refuseAll(rows.toReversed()),
      admin.post(`${URL}/${first.id}/decision`, one),
      refuseAll(rows),
    ]);
    const codes = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(codes.slice(1), [409, 409, 409]);
    assert.equal(codes[0], 200);
    // Whoever came first has said it all: one of them, or all.
    const done = answers[2]?.status === 200 ? [first.unit] : ['BTC', 'GBP', 'USD'];
    assert.deepEqual([await refused(), await audited()], [done, done]);
  });
});
