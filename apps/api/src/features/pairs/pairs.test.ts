import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { findPair } from './store.ts';

const api = await startTestApi({ after });
const { client: admin, user } = await api.asAdmin();
const { client: member } = await api.asMember();
const URL = '/api/admin/pairs';
await addCurrency(admin, 'usd', { position: 1 });
await addCurrency(admin, 'eur', { position: 2, min_receive: '20', payout_time: 'in a day' });
await addCurrency(admin, 'jpy', { position: 3, decimals: 0 });

const slugs = (pairs: Json) => pairs.map(({ slug }: Json) => slug);

describe('POST /api/admin/pairs', () => {
  it('adds a pair, with its rate in the history and in the audit log', async () => {
    const pair = await addPair(admin, 'usd', 'eur', {
      send_fee: { fixed: '1.5', percent: '0.25' },
    });
    assert.equal(pair.slug, 'usd-to-eur');
    assert.equal(pair.rate, '0.9108');
    assert.equal(pair.mid_rate, '0.92');
    assert.equal(pair.margin_percent, '1');
    assert.deepEqual(pair.send_fee, { fixed: '1.50', percent: '0.25', min: null, max: null });
    assert.deepEqual([pair.min_send, pair.max_send], ['10.00', '5000.00']);
    assert.equal(pair.mid_source, 'manual');
    const rates = await api.db
      .selectFrom('pair_rates')
      .selectAll()
      .where('pair_id', '=', pair.id)
      .execute();
    assert.deepEqual(
      rates.map(({ mid_rate, set_by }) => [mid_rate, set_by]),
      [['0.920000000000000000', user.id]],
    );
    const events = await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', pair.id)
      .execute();
    assert.deepEqual(events, [{ action: 'pair.created' }]);
  });

  it('refuses a second pair of the same direction, also in concurrent requests', async () => {
    const again = await admin.post(URL, pairDraft('usd', 'eur'));
    assert.equal(again.status, 409);
    assert.equal(again.body.code, 'pair_exists');
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post(URL, pairDraft('eur', 'usd'))),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
  });

  it('refuses invalid settings by field', async () => {
    const cases: [Json, string[]][] = [
      [pairDraft('nowhere', 'eur'), ['send']],
      [pairDraft('usd', 'nowhere'), ['receive']],
      [pairDraft('usd', 'usd'), ['receive']],
      [pairDraft('usd', 'jpy', { min_send: '10.001' }), ['min_send']],
      [pairDraft('jpy', 'eur', { min_send: '10.5', max_send: '20' }), ['min_send']],
      [
        pairDraft('usd', 'jpy', { receive_fee: { fixed: '0.5', percent: '0' } }),
        ['receive_fee.fixed'],
      ],
      [pairDraft('usd', 'jpy', { send_fee: { fixed: '10', percent: '0' } }), ['min_send']],
      [pairDraft('usd', 'jpy', { mid_rate: '0.00001' }), ['rate_digits']],
      [pairDraft('usd', 'jpy', { mid_rate: '0' }), ['mid_rate']],
      [pairDraft('usd', 'jpy', { margin_percent: '99' }), ['margin_percent']],
      [pairDraft('usd', 'jpy', { max_send: '9' }), ['max_send']],
      [pairDraft('usd', 'jpy', { day_max_send: '9.99' }), ['day_max_send']],
      [pairDraft('usd', 'jpy', { lock_minutes: 0 }), ['lock_minutes']],
      [{ ...pairDraft('usd', 'jpy'), mid_rate: 0.92 }, ['mid_rate']],
    ];
    for (const [draft, fields] of cases) {
      const answer = await admin.post(URL, draft);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), fields, answer.text);
    }
    assert.equal(await findPair(api.db, { slug: 'usd-to-jpy' }), undefined);
  });
});

describe('GET /api/admin/pairs', () => {
  it('lists all pairs, also those switched off', async () => {
    await addPair(admin, 'usd', 'jpy', { mid_rate: '150', active: false, position: 5 });
    const { status, body } = await admin.get(URL);
    assert.equal(status, 200);
    assert.deepEqual(slugs(body.data), ['eur-to-usd', 'usd-to-eur', 'usd-to-jpy']);
    assert.equal((await member.get(URL)).status, 403);
  });
});

describe('GET /api/admin/pairs/{slug}', () => {
  it('answers one pair, 404 for another', async () => {
    const { body } = await admin.get(`${URL}/usd-to-jpy`);
    assert.equal(body.data.rate, '148.5000');
    assert.equal(body.data.receive.decimals, 0);
    assert.equal((await admin.get(`${URL}/usd-to-usd`)).status, 404);
  });
});

describe('PATCH /api/admin/pairs/{slug}', () => {
  it('changes the given fields only', async () => {
    const before = (await admin.get(`${URL}/usd-to-jpy`)).body.data;
    const { status, body } = await admin.patch(`${URL}/usd-to-jpy`, {
      version: before.version,
      margin_percent: '0.5',
      day_max_send: '9000',
    });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body.data, updated_at: before.updated_at },
      {
        ...before,
        margin_percent: '0.5',
        rate: '149.2500',
        day_max_send: '9000.00',
        version: before.version + 1,
      },
    );
  });

  it('refuses an outdated version, an unknown pair and invalid settings', async () => {
    const { version } = (await admin.get(`${URL}/usd-to-jpy`)).body.data;
    const stale = await admin.patch(`${URL}/usd-to-jpy`, { version: version - 1, position: 1 });
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict']);
    assert.equal((await admin.patch(`${URL}/nowhere`, { version: 1 })).status, 404);
    const fees = await admin.patch(`${URL}/usd-to-jpy`, {
      version,
      send_fee: { fixed: '10', percent: '0' },
    });
    assert.equal(fees.status, 422);
    assert.deepEqual(Object.keys(fees.body.errors), ['min_send']);
  });
});

describe('every setting of a price', () => {
  const figures = {
    margin_absolute: '0.5',
    rate_min: '100.5',
    rate_max: '200',
    tiers: [
      { from: '500.00', margin_percent: '0.4' },
      { from: '1000.00', margin_percent: '0.25' },
    ],
    send_fee: { fixed: '1.00', percent: '0.5', min: '2.00', max: '9.00' },
    receive_fee: { fixed: '0', percent: '0', min: null, max: '70' },
    payout_step: '10',
    hours: [
      { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' },
      { days: [5], from: '22:00', to: '06:00' },
    ],
  };
  const only = (pair: Json) =>
    Object.fromEntries(Object.keys(figures).map((name) => [name, pair[name]]));
  const patch = async (changes: Json) => {
    const { version } = (await admin.get(`${URL}/usd-to-jpy`)).body.data;
    const answer = await admin.patch(`${URL}/usd-to-jpy`, { version, ...changes });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it('is saved as written, and an omitted one is unchanged', async () => {
    assert.deepEqual(only(await patch(figures)), figures);
    const sendFee = { ...figures.send_fee, percent: '0.75' };
    const changed = await patch({ send_fee: { fixed: '1', percent: '0.75' }, position: 5 });
    assert.deepEqual(only(changed), { ...figures, send_fee: sendFee });
  });

  it('reaches the converter', async () => {
    const find = async () => {
      const { body } = await api.client().get('/api/public/currencies-converter');
      return body.data.pairs.find(({ slug }: Json) => slug === 'usd-to-jpy');
    };
    await patch({ active: true });
    const pair = await find();
    assert.deepEqual(pair.tiers, [
      { from: '500.00', rate: '148.9000' },
      { from: '1000.00', rate: '149.1250' },
    ]);
    assert.deepEqual(pair.fees.send, { fixed: '1.00', percent: '0.75', min: '2.00', max: '9.00' });
    assert.deepEqual([pair.payout_step, pair.state], ['10', 'live']);
    await patch({ active: false });
  });

  it('is removed by null or an empty list', async () => {
    const none = {
      margin_absolute: '0',
      rate_min: null,
      rate_max: null,
      tiers: [],
      send_fee: { fixed: '0.00', percent: '0', min: null, max: null },
      receive_fee: { fixed: '0', percent: '0', min: null, max: null },
      payout_step: null,
      hours: null,
    };
    assert.deepEqual(only(await patch(none)), none);
  });
});

describe('PUT /api/admin/pairs/{slug}/rate', () => {
  it('sets the mid rate with every digit and keeps the last one in the history', async () => {
    const { version, id } = (await admin.get(`${URL}/usd-to-jpy`)).body.data;
    const { status, body } = await admin.put(`${URL}/usd-to-jpy/rate`, {
      version,
      mid_rate: '151.123456789012345678',
    });
    assert.equal(status, 200);
    assert.equal(body.data.mid_rate, '151.123456789012345678');
    assert.equal(body.data.version, version + 1);
    const rates = await api.db
      .selectFrom('pair_rates')
      .select('mid_rate')
      .where('pair_id', '=', id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rates.map(({ mid_rate }) => mid_rate),
      ['150.000000000000000000', '151.123456789012345678'],
    );
  });

  it('refuses zero, a rate that rounds to zero, and an outdated version', async () => {
    const { version } = (await admin.get(`${URL}/usd-to-jpy`)).body.data;
    const put = (mid_rate: string, own = version) =>
      admin.put(`${URL}/usd-to-jpy/rate`, { version: own, mid_rate });
    assert.deepEqual(Object.keys((await put('0')).body.errors), ['mid_rate']);
    assert.deepEqual(Object.keys((await put('0.00001')).body.errors), ['rate_digits']);
    assert.equal((await put('150', version - 1)).status, 409);
    assert.equal((await put('-1')).status, 422);
    assert.equal(
      (await admin.put(`${URL}/nowhere/rate`, { version: 1, mid_rate: '1' })).status,
      404,
    );
    assert.equal(
      (await member.put(`${URL}/usd-to-jpy/rate`, { version, mid_rate: '1' })).status,
      403,
    );
  });
});
