/** The limits per day and month: public, and checked at the quote as well as at the creation. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { pairDraft } from '#test/desk.ts';
import { create, createBody, openDesk } from '#test/factories/exchange.ts';
import { setFeeds } from '#test/factories/feeds.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const limits = { max_send: '5000', day_max_send: '1000', month_max_send: '1500' };
await openDesk(admin, limits);
const ask = (client: ReturnType<typeof api.client>, amount: string) =>
  client.post('/api/public/quotes', { pair: 'usd-to-eur', side: 'send', amount });

describe('the limits of a day and a month', () => {
  it('are part of the public terms, and bound a single exchange', async () => {
    const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
    const [{ max, day_max, month_max }] = pairs;
    assert.deepEqual([max, day_max, month_max], ['1000.00', '1000.00', '1500.00']);
    await setFeeds(admin, { enabled: true });
    const { text } = await api.client().get('/api/public/export/bestchange.xml');
    assert.match(text, /<maxamount>1000<\/maxamount>/);
  });

  it('refuse a quote above them', async () => {
    assert.equal((await ask(api.client(), '1000')).status, 200);
    const { status, body } = await ask(api.client(), '1000.01');
    assert.equal(status, 422);
    const words = 'You can send at most 1000.00 USD in 24 hours in this direction.';
    assert.deepEqual(body.errors.amount, [words]);
    const draft = { ...pairDraft('usd', 'eur', limits), side: 'send', amount: '1000.01' };
    const preview = (await admin.post('/api/admin/pairs/preview', draft)).body.data;
    assert.equal(preview.refusal, words);
    assert.deepEqual(preview.limits, {
      min: '10.00',
      max: '1000.00',
      day: '1000.00',
      month: '1500.00',
    });
  });

  it('count what a signed-in customer has sent already', async () => {
    const { client } = await api.asMember();
    const { body: early } = await ask(client, '500');
    await create(client, '600');
    const { status, body } = await ask(client, '400.01');
    assert.equal(status, 422);
    assert.deepEqual(body.errors.amount, [
      'You can send 1000.00 USD in 24 hours in this direction; 400.00 USD of it are left.',
    ]);
    assert.equal((await ask(client, '400')).status, 200);
    assert.equal((await ask(api.client(), '400.01')).status, 200);
    // An earlier quote is checked again at the creation.
    const late = await client.post('/api/exchanges', createBody(early.data.token), { key: true });
    assert.deepEqual([late.status, late.body.code], [409, 'limit_exceeded']);
  });
});

describe('tiers that no amount reaches', () => {
  it('are refused, and omitted from the terms above a currency’s limit', async () => {
    const url = '/api/admin/pairs/usd-to-eur';
    const patch = async (changes: object) => {
      const { version } = (await admin.get(url)).body.data;
      return admin.patch(url, { version, ...changes });
    };
    const above = await patch({ tiers: [{ from: '5000.01', margin_percent: '0.5' }] });
    assert.deepEqual(
      [above.status, above.body.errors],
      [422, { 'tiers.0.from': ['No amount reaches this tier: it begins above max_send.'] }],
    );
    const tiers = [
      { from: '1000', margin_percent: '0.5' },
      { from: '1000.01', margin_percent: '0.4' },
    ];
    assert.equal((await patch({ tiers })).status, 200);
    const { pairs } = (await api.client().get('/api/public/currencies-converter')).body.data;
    assert.deepEqual(
      pairs[0].tiers.map(({ from }: { from: string }) => from),
      ['1000.00'],
    );
  });
});
