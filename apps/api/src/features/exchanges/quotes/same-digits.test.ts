/**
 * For random terms the preview before saving, the public quote and the exchange have the same
 * figures.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { Breakdown } from '@cambist/contract/quotes';
import { formatAmount, parseAmount } from '@cambist/money/amount';
import type { Json } from '#test/client.ts';
import { addCurrency, addPair, pairDraft, stock } from '#test/desk.ts';
import { cancel, createBody } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { client: member } = await api.asMember();
const DECIMALS = { usd: 2, jpy: 0, btc: 8, wei: 18 } as const;
type Slug = keyof typeof DECIMALS;
const DIRECTIONS = [
  ['usd', 'btc'],
  ['jpy', 'usd'],
  ['btc', 'wei'],
  ['wei', 'jpy'],
] as const;
for (const [slug, decimals] of Object.entries(DECIMALS)) {
  await addCurrency(admin, slug, { decimals });
  await stock(admin, slug, '1000000000000000000');
}
const free = { fixed: '0', percent: '0', min: null, max: null };
/** Limits that allow any amount at any random rate. */
const plain = {
  margin_percent: '0',
  margin_absolute: '-1',
  rate_digits: 18,
  send_fee: free,
  receive_fee: free,
  payout_step: null,
  tiers: [],
  min_send: '1000000',
  max_send: '900000000',
};
for (const [send, receive] of DIRECTIONS) await addPair(admin, send, receive, plain);

/** A decimal between two integers. */
const decimal = (scale: number, least: number, most: number) =>
  fc
    .bigInt({ min: BigInt(least) * 10n ** BigInt(scale), max: BigInt(most) * 10n ** BigInt(scale) })
    .map((units) => {
      const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
      const [whole, rest] = [digits.slice(0, digits.length - scale), digits.slice(-scale)];
      return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${rest}`}`;
    });

const fee = (decimals: number) =>
  fc.record({
    fixed: decimal(decimals, 0, 50),
    percent: decimal(6, 0, 3),
    min: fc.option(decimal(decimals, 0, 20)),
    max: fc.option(decimal(decimals, 20, 90)),
  });

const terms = fc.constantFrom(...DIRECTIONS).chain(([send, receive]) =>
  fc.record({
    send: fc.constant(send),
    receive: fc.constant(receive),
    mid_rate: decimal(18, 0, 3),
    margin_percent: decimal(6, 2, 5),
    margin_absolute: fc.oneof(fc.constant('0.010203040506070809'), decimal(18, -1, 0)),
    rate_digits: fc.integer({ min: 0, max: 18 }),
    send_fee: fee(DECIMALS[send]),
    receive_fee: fee(DECIMALS[receive]),
    payout_step: fc.option(decimal(DECIMALS[receive], 1, 500)),
    tiers: fc
      .tuple(decimal(DECIMALS[send], 1000, 9000), decimal(6, 1, 2), decimal(6, -2, 1))
      .map(([from, first, second]) => [
        { from, margin_percent: first },
        { from: `${from.split('.')[0]}0`, margin_percent: second },
      ]),
    min_send: fc.constant('1000'),
    // Above every tier, since unreachable tiers are refused.
    max_send: decimal(DECIMALS[send], 100_000, 1_000_000),
  }),
);

const lines = (of: Json) =>
  Object.fromEntries(Object.keys(Breakdown.properties).map((name) => [name, of[name]]));

async function save({ send, receive, mid_rate, ...figures }: Json): Promise<void> {
  const url = `/api/admin/pairs/${send}-to-${receive}`;
  const version = async () => (await admin.get(url)).body.data.version;
  for (const [path, body] of [
    ['', plain],
    ['/rate', { mid_rate }],
    ['', figures],
  ] as const) {
    const full = { version: await version(), ...body };
    const ask = (more: Json) => {
      const asked = { ...full, ...more };
      return path === '' ? admin.patch(url, asked) : admin.put(url + path, asked);
    };
    let answer = await ask({});
    // Random terms may lose or move the rate far, which needs a confirmation.
    if (answer.body.code === 'rate_unconfirmed')
      answer = await ask({ confirm_rate: answer.body.rate_change.to });
    assert.equal(answer.status, 200, answer.text);
  }
}

describe('the preview, the quote and the exchange', () => {
  it('agree to the last digit, at random terms and amounts', async () => {
    let agreed = 0;
    await fc.assert(
      fc.asyncProperty(terms, fc.nat(1000), async (drawn, place) => {
        const { send, receive } = drawn as { send: Slug; receive: Slug };
        const draft = { ...pairDraft(send, receive), ...drawn };
        const preview = (side: string, amount: string) =>
          admin.post('/api/admin/pairs/preview', { ...draft, side, amount });
        const first = await preview('send', '8000');
        // Invalid terms are refused, and an amount may be outside the limits.
        if (first.status !== 200) return assert.equal(first.status, 422, first.text);
        const { limits, state } = first.body.data;
        assert.equal(state, 'live');
        const [min, max] = [limits.min, limits.max].map((text: string) =>
          parseAmount(text, DECIMALS[send]),
        );
        if (min === undefined || max === undefined) throw new Error('The limits are no amounts.');
        const sent = formatAmount(min + ((max - min) * BigInt(place)) / 1000n, DECIMALS[send]);
        const shown = (await preview('send', sent)).body.data;
        const { mid_as_of: _drafted, ...promised } = lines(shown.breakdown);

        await save(drawn);
        const ask = (side: string, amount: string) =>
          api.client().post('/api/public/quotes', { pair: `${send}-to-${receive}`, side, amount });
        const answer = await ask('send', sent);
        assert.equal(answer.status, 200, answer.text);
        const quote: Json = answer.body.data;
        const { mid_as_of: _set, ...quoted } = lines(quote);
        assert.deepEqual(quoted, promised);
        assert.deepEqual((await preview('send', sent)).body.data.breakdown, lines(quote));

        // With a payout step a smaller send amount may have the same payout.
        const wish = quote.receive_amount;
        const back = await ask('receive', wish);
        const wished = (await preview('receive', wish)).body.data;
        assert.equal(back.status === 200 ? null : back.body.message, wished.refusal);
        if (back.status === 200) {
          assert.deepEqual(wished.breakdown, lines(back.body.data));
          assert.equal(back.body.data.receive_amount, wish);
        }

        const made = await member.post('/api/exchanges', createBody(quote.token), { key: true });
        assert.equal(made.status, 201, made.text);
        assert.deepEqual(lines(made.body.data), lines(quote));
        await cancel(member, made.body.data);
        agreed += 1;
      }),
      { numRuns: 40, endOnFailure: true },
    );
    assert.ok(agreed >= 20, `only ${agreed} of the drawn terms could be used`);
  });
});
