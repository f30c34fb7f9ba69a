/** A rate that moves far or makes the desk lose takes effect only when it is confirmed. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { HOUR } from '#kernel/clock.ts';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { acceptRates } from '#test/factories/market.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const URL = '/api/admin/pairs';
for (const unit of ['usd', 'eur', 'gbp', 'pln', 'chf']) await addCurrency(admin, unit);

const get = async (slug: string): Promise<Json> => (await admin.get(`${URL}/${slug}`)).body.data;
async function patch(slug: string, changes: Json) {
  const { version } = await get(slug);
  return admin.patch(`${URL}/${slug}`, { version, ...changes });
}
async function setRate(slug: string, changes: Json) {
  const { version } = await get(slug);
  return admin.put(`${URL}/${slug}/rate`, { version, ...changes });
}

describe('a change that moves the customer’s rate', () => {
  it('is refused, and not saved, above the limit of the settings', async () => {
    await acceptRates(api, { USD: '1.25' });
    await addPair(admin, 'usd', 'eur', { rate_mode: 'automatic' });
    const before = await get('usd-to-eur');
    const formula = 'usd/eur / 1000';
    const changes = { rate_mode: 'formula', formula, rate_digits: 6, min_send: '100' };
    const answer = await patch('usd-to-eur', changes);
    assert.equal(answer.status, 409, answer.text);
    assert.equal(answer.body.code, 'rate_unconfirmed');
    assert.deepEqual(answer.body.rate_change, {
      reasons: ['moves'],
      from: '0.7920',
      to: '0.000792',
      percent: '-99.90',
      tier: null,
      kept_percent: null,
      against: 'market',
    });
    assert.deepEqual(await get('usd-to-eur'), before);
  });

  it('is saved with the new rate as confirmation, and not with another one', async () => {
    const changes = { rate_mode: 'formula', formula: 'usd/eur * 0.85' };
    const wrong = await patch('usd-to-eur', { ...changes, confirm_rate: '0.7' });
    assert.equal(wrong.body.code, 'rate_unconfirmed');
    const { to } = wrong.body.rate_change;
    assert.equal((await patch('usd-to-eur', { ...changes, confirm_rate: `${to}0` })).status, 200);
    assert.equal((await get('usd-to-eur')).rate, to);
  });

  it('needs a confirmation for a manual rate and for a single tier', async () => {
    await addPair(admin, 'gbp', 'pln', { mid_rate: '5', rate_digits: 4 });
    const set = await setRate('gbp-to-pln', { mid_rate: '50' });
    assert.deepEqual(
      [
        set.status,
        set.body.rate_change.from,
        set.body.rate_change.to,
        set.body.rate_change.percent,
      ],
      [409, '4.9500', '49.5000', '900.00'],
    );
    assert.equal((await setRate('gbp-to-pln', { mid_rate: '5.1' })).status, 200);
    const tiers = [{ from: '1000', margin_percent: '-20' }];
    const tiered = await patch('gbp-to-pln', { tiers });
    assert.deepEqual(tiered.body.rate_change, {
      reasons: ['moves', 'loses'],
      from: '5.0490',
      to: '6.1200',
      percent: '21.21',
      tier: '1000.00',
      kept_percent: '-20.0000',
      against: 'mid',
    });
  });

  it('needs none within the limit, nor where the rate is unchanged', async () => {
    assert.equal((await patch('gbp-to-pln', { margin_percent: '2' })).status, 200);
    assert.equal((await patch('gbp-to-pln', { position: 7 })).status, 200);
  });
});

describe('a save at which the desk loses', () => {
  it('needs a confirmation each time, measured against the market with fees', async () => {
    await acceptRates(api, { CHF: '1' });
    const draft = { mid_rate: '0.9', margin_percent: '1' };
    await addPair(admin, 'eur', 'chf', draft);
    // The margin of one percent is a loss, since the market gives 1.2 for one.
    await acceptRates(api, { CHF: '0.8' });
    const answer = await patch('eur-to-chf', { lock_minutes: 20 });
    assert.deepEqual(
      [answer.status, answer.body.rate_change.reasons, answer.body.rate_change.kept_percent],
      [409, ['loses'], '-11.3750'],
    );
    assert.equal(answer.body.rate_change.to, '0.8910');
    assert.equal(
      (await patch('eur-to-chf', { lock_minutes: 20, confirm_rate: '0.891' })).status,
      200,
    );
    const fee = { receive_fee: { fixed: '0', percent: '15' } };
    assert.equal((await patch('eur-to-chf', fee)).status, 200);
    const again = await patch('eur-to-chf', { receive_fee: { fixed: '0', percent: '0' } });
    assert.equal(again.status, 409);
  });

  it('needs none to switch a pair off', async () => {
    const fee = { receive_fee: { fixed: '0', percent: '0' }, active: false };
    assert.equal((await patch('eur-to-chf', fee)).status, 200);
    assert.equal((await patch('eur-to-chf', { active: true })).status, 409);
  });

  it('needs one for a new pair too, against its own mid rate where there is no market', async () => {
    const draft = pairDraft('pln', 'gbp', { mid_rate: '0.2', margin_percent: '-2' });
    const answer = await admin.post(URL, draft);
    assert.deepEqual(
      [answer.status, answer.body.rate_change],
      [
        409,
        {
          reasons: ['loses'],
          from: null,
          to: '0.2040',
          percent: null,
          tier: null,
          kept_percent: '-2.0000',
          against: 'mid',
        },
      ],
    );
    await admin.post(URL, draft, { key: 'unconfirmed' });
    const again = await admin.post(URL, draft, { key: 'unconfirmed' });
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.deepEqual(again.body, answer.body);
    assert.equal((await admin.post(URL, { ...draft, confirm_rate: '0.204' })).status, 201);
  });
});

describe('the preview', () => {
  const preview = async (changes: Json): Promise<Json> => {
    const body = { ...pairDraft('usd', 'eur', changes), side: 'send', amount: '1000' };
    const answer = await admin.post(`${URL}/preview`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it('shows the market beside the pair’s own rate, and the confirmation that saving needs', async () => {
    const shown = await preview({ mid_rate: '0.92' });
    assert.deepEqual(
      [shown.market.rate, shown.market.source, shown.market_percent, shown.margin.percent],
      ['0.8', 'fixer', '-13.8500', '1.0000'],
    );
    assert.deepEqual(shown.rate_change.reasons, ['moves', 'loses']);
    const fine = await preview({ mid_rate: '0.7', rate_digits: 4 });
    assert.equal(fine.rate_change, null);
    assert.equal(fine.market_percent, '13.3750');
  });

  it('shows no market rate where there is none or it is too old', async () => {
    const past = new Date(Date.now() - HOUR);
    await api.db.updateTable('market_rates').set({ fresh_until: past }).execute();
    const shown = await preview({ mid_rate: '0.7' });
    assert.deepEqual([shown.market, shown.market_percent], [null, null]);
  });
});

describe('a live pair that starts to follow a market without a rate', () => {
  it('keeps its last rate until a run brings one, and goes stale in time', async () => {
    await addPair(admin, 'chf', 'gbp', { mid_rate: '0.9', mid_until: '2099-01-01T00:00:00.000Z' });
    const draft = pairDraft('chf', 'gbp', { rate_mode: 'automatic' });
    const { data: shown } = (
      await admin.post(`${URL}/preview`, { ...draft, side: 'send', amount: '100' })
    ).body;
    assert.deepEqual([shown.mid_rate, shown.state], ['0.9', 'live']);
    assert.equal((await patch('chf-to-gbp', { rate_mode: 'automatic' })).status, 200);
    const current = await get('chf-to-gbp');
    assert.deepEqual(
      [current.rate_mode, current.mid_rate, current.mid_source, current.state, current.mid_until],
      ['automatic', '0.9', 'manual', 'live', null],
    );
    assert.equal(current.mid_fresh_until, '2099-01-01T00:00:00.000Z');
    assert.ok(current.stale_at, 'what no run confirms grows stale');
    await acceptRates(api, { CHF: '0.95' });
    await acceptRates(api, { GBP: '0.855' });
    const followed = await get('chf-to-gbp');
    assert.deepEqual([followed.mid_rate, followed.mid_source], ['0.9', 'fixer']);
  });
});

describe('a pair that turns manual', () => {
  it('must have its rate set where the market’s last one is stale', async () => {
    await acceptRates(api, { GBP: '0.86' });
    await addPair(admin, 'eur', 'gbp', { rate_mode: 'automatic' });
    const tenDaysAgo = new Date(Date.now() - 10 * 24 * HOUR);
    await api.db
      .updateTable('pairs')
      .set({ mid_as_of: tenDaysAgo, mid_confirmed_at: tenDaysAgo, mid_fresh_until: tenDaysAgo })
      .where('slug', '=', 'eur-to-gbp')
      .execute();
    const answer = await patch('eur-to-gbp', { rate_mode: 'manual' });
    assert.equal(answer.status, 422, answer.text);
    assert.match(
      answer.body.errors.rate_mode[0],
      /cannot go on by hand: set a rate\. The provider/,
    );
    const { state, rate_mode } = await get('eur-to-gbp');
    assert.deepEqual([state, rate_mode], ['stale', 'automatic']);
    const set = await setRate('eur-to-gbp', { mid_rate: '0.86' });
    assert.deepEqual([set.body.data.state, set.body.data.rate_mode], ['live', 'manual']);
  });
});
