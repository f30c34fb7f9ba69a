import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/pairs/preview';
for (const unit of ['usd', 'eur', 'gbp']) await addCurrency(admin, unit);

const ask = (changes: Json = {}, amount = '1000', side = 'send') =>
  admin.post(URL, { ...pairDraft('usd', 'eur', changes), side, amount });
async function preview(changes: Json = {}, amount?: string, side?: string): Promise<Json> {
  const answer = await ask(changes, amount, side);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}
const saved = async () => {
  const { count } = await api.db
    .selectFrom('pairs')
    .select((all) => all.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

describe('POST /api/admin/pairs/preview', () => {
  it('prices a pair that does not exist yet, with the desk’s margin, and saves nothing', async () => {
    const shown = await preview({
      margin_absolute: '0.002',
      tiers: [{ from: '1000', margin_percent: '0.5' }],
      send_fee: { fixed: '0', percent: '1', max: '8' },
      receive_fee: { fixed: '1', percent: '0', min: '1.5' },
      payout_step: '5',
    });
    assert.deepEqual(
      [shown.rate, shown.tiers, shown.mid_rate, shown.mid_source, shown.state],
      ['0.9088', [{ from: '1000.00', rate: '0.9134' }], '0.92', 'manual', 'live'],
    );
    assert.deepEqual(shown.limits, { min: '10.00', max: '5000.00', day: null, month: null });
    assert.equal(shown.breakdown.receive_amount, '900.00');
    assert.equal(shown.breakdown.rounding, '4.59');
    // 1000 × 0.92 − 900 is 20.00: the send fee at the mid rate (7.36), 1.50, and the spread of 11.14.
    assert.deepEqual(shown.margin, {
      percent: '2.1739',
      send_fee: '8.00',
      receive_fee: '1.50',
      spread: '11.14',
      total: '20.00',
    });
    assert.deepEqual([shown.refusal, shown.state_reason, shown.lock_minutes], [null, null, 15]);
    assert.equal(await saved(), 0);
  });

  it('prices from the receive side and shows a loss', async () => {
    const { breakdown, margin } = await preview({ margin_percent: '-1' }, '92.92', 'receive');
    assert.equal(breakdown.send_amount, '100.00');
    assert.deepEqual([margin.total, margin.percent], ['-0.92', '-1.0000']);
  });

  it('refuses invalid settings by field, and amounts without a price', async () => {
    const answer = await ask({ tiers: [{ from: '100', margin_percent: '2' }] });
    assert.deepEqual(
      [answer.status, Object.keys(answer.body.errors)],
      [422, ['tiers.0.margin_percent']],
    );
    for (const amount of ['0', '1.005'])
      assert.deepEqual(Object.keys((await ask({}, amount)).body.errors), ['amount']);
  });

  it('has the sentence that a customer would get instead of a quote', async () => {
    assert.equal((await preview({}, '9.99')).refusal, 'You must send at least 10.00 USD.');
    const off = await preview({ active: false });
    assert.equal(off.state, 'paused');
    assert.equal(off.refusal, 'This direction is not available at the moment.');
    assert.equal(off.breakdown.receive_amount, '910.80');
    const bounded = await preview({ rate_max: '0.9' });
    assert.match(bounded.state_reason, /0\.9108 lies above the highest allowed, 0\.9\./);
  });

  it('prices a manual rate that has ended, with a warning', async () => {
    const ended = { mid_until: new Date(Date.now() - HOUR).toISOString() };
    const shown = await preview(ended);
    assert.deepEqual([shown.breakdown.receive_amount, shown.state], ['910.80', 'stale']);
    assert.match(shown.state_reason, /^The rate that was set by hand ended at .* UTC\.$/);
    assert.match(shown.refusal, /rate/);
    // To be saved it needs an end in the future.
    const answer = await admin.post('/api/admin/pairs', pairDraft('usd', 'eur', ended));
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['mid_until']]);
  });

  it('has no price while the market has no rate, and names that rate', async () => {
    const shown = await preview({ rate_mode: 'formula', formula: 'usd/gbp * 2' });
    assert.deepEqual(
      [shown.breakdown, shown.margin, shown.limits, shown.rate],
      [null, null, null, null],
    );
    assert.equal(shown.state_reason, 'The market has no rate for usd/gbp.');
  });

  it('uses the current market rate, and a saved pair’s own rate where it is unchanged', async () => {
    await acceptRates(api, { USD: '1.25' });
    const automatic = await preview({ rate_mode: 'automatic' });
    assert.deepEqual([automatic.mid_rate, automatic.mid_source], ['0.8', 'fixer']);
    assert.ok(automatic.stale_at > new Date().toISOString());
    const pair = await addPair(admin, 'usd', 'eur', { rate_mode: 'automatic' });
    // The market loses its rate, the pair does not.
    await api.db.deleteFrom('market_rates').execute();
    const current = await preview({ rate_mode: 'automatic', margin_percent: '2' });
    assert.deepEqual([current.mid_rate, current.mid_as_of], ['0.8', pair.mid_as_of]);
    assert.equal(current.rate, '0.7840');
    const other = await preview({ rate_mode: 'formula', formula: 'usd/eur' });
    // A pair with a rate keeps it without a market.
    assert.deepEqual([other.mid_rate, other.state], ['0.8', 'live']);
    assert.match(other.state_reason, /The last rate stays in force/);
  });
});
