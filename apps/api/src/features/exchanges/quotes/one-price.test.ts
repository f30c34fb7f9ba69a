/**
 * For a pair with every kind of price setting, the preview, the browser's calculation from the public
 * terms, the quote, the exchange, the desk's view and the ledger agree.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parseAmount } from '@cambist/money/amount';
import {
  quoteReceive,
  quoteSend,
  pairTerms,
  writeQuote,
  type PriceTerms,
} from '@cambist/money/quote';
import type { Json } from '#test/client.ts';
import { pairDraft } from '#test/desk.ts';
import {
  approve,
  balances,
  claim,
  complete,
  create,
  deskPath,
  openDesk,
  submit,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { client } = await api.asMember();
let terms: PriceTerms;

/** With a margin of 1 % below 1,000 and a mid rate of 0.92. */
const figures = {
  margin_absolute: '0.002',
  tiers: [{ from: '1000', margin_percent: '0.5' }],
  send_fee: { fixed: '0', percent: '1', min: '2', max: '8' },
  receive_fee: { fixed: '1', percent: '0', min: '1.50' },
  payout_step: '5',
};

before(async () => {
  await openDesk(admin, figures);
  const { body } = await api.client().get('/api/public/currencies-converter');
  const pair = body.data.pairs.find(({ slug }: Json) => slug === 'usd-to-eur');
  terms = pairTerms(pair, { decimals: 2 }, { decimals: 2 });
});

const ask = async (side: string, amount: string): Promise<Json> => {
  const answer = await api
    .client()
    .post('/api/public/quotes', { pair: 'usd-to-eur', side, amount });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const preview = async (side: string, amount: string): Promise<Json> => {
  const draft = pairDraft('usd', 'eur', figures);
  const answer = await admin.post('/api/admin/pairs/preview', { ...draft, side, amount });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
};
const only = (lines: object, of: Json) =>
  Object.fromEntries(Object.keys(lines).map((name) => [name, of[name]]));

describe('one price for one amount', () => {
  it('is the same in browser, preview and quote, around tiers and fee bounds', async () => {
    for (const amount of ['20.00', '150.00', '999.99', '1000.00', '4999.99']) {
      const lines = writeQuote(quoteSend(terms, parseAmount(amount, 2)), terms);
      assert.deepEqual(only(lines, await ask('send', amount)), lines, amount);
      assert.deepEqual(only(lines, (await preview('send', amount)).breakdown), lines, amount);
    }
    for (const amount of ['10', '100.01', '900', '905', '4000']) {
      const lines = writeQuote(quoteReceive(terms, parseAmount(amount, 2)), terms);
      assert.deepEqual(only(lines, await ask('receive', amount)), lines, amount);
      assert.deepEqual(only(lines, (await preview('receive', amount)).breakdown), lines, amount);
    }
  });

  it('is stored with the exchange and posted without a remainder', async () => {
    const expected = {
      send_amount: '1000.00',
      send_fee: '8.00', // 10.00, at most 8.00
      exchanged_amount: '992.00',
      rate: '0.9134', // 0.92 × 0.995 − 0.002
      gross_amount: '906.09', // 906.0928
      receive_fee: '1.50', // 1.00, at least 1.50
      rounding: '4.59',
      receive_amount: '900.00',
      margin_percent: '0.5',
      margin_absolute: '0.002',
    };
    assert.deepEqual(only(expected, await ask('send', '1000')), expected);
    const { breakdown, margin } = await preview('send', '1000');
    assert.deepEqual(only(expected, breakdown), expected);
    assert.equal(margin.spread, '11.14'); // 992.00 × 0.92 − 900.00 − 1.50

    const earlier = await balances(api);
    const made = await create(client, '1000');
    await upload(client, made.number);
    const desk = await claim(admin, await submit(client, made));
    const own = (await client.get(`/api/exchanges/${made.number}`)).body.data;
    assert.deepEqual(only(expected, own), expected);
    const seen = (await admin.get(deskPath(made.number))).body.data;
    assert.deepEqual(only(expected, seen), expected);
    assert.equal(seen.spread, '11.14');

    await complete(admin, await approve(admin, desk));
    const now = await balances(api);
    const moved = (account: string) => (now[account] ?? 0n) - (earlier[account] ?? 0n);
    assert.deepEqual(
      ['eur available', 'eur fees', 'eur spread', 'eur position', 'usd fees'].map(moved),
      [-90_000n, -150n, -1_114n, 91_264n, -800n],
    );
  });

  it('can be redone from the email, which has every deduction', async () => {
    const emails = await api.db.selectFrom('emails').select('data').execute();
    const texts = emails.map(({ data }) => JSON.stringify(data));
    const rounded = texts.filter((text) => text.includes('Rounded down by'));
    assert.ok(rounded.length > 0);
    for (const text of rounded) {
      for (const figure of ['8.00 USD', '992.00 USD', '906.09 EUR', '1.50 EUR', '4.59 EUR'])
        assert.ok(text.includes(figure), figure);
    }
  });
});
