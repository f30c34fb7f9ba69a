/** A quote by our arithmetic on bigint, relative to the same lines in decimal.js. */
import { Decimal } from 'decimal.js';
import {
  quoteReceive,
  quoteSend,
  readTerms,
  type PriceTerms,
} from '../packages/money/src/quote.ts';

const terms = readTerms({
  send_decimals: 2,
  receive_decimals: 8,
  rate: '0.000016339',
  tiers: [],
  mid_rate: '0.0000164',
  send_fee: { fixed: '1.00', percent: '0.5', min: null, max: null },
  receive_fee: { fixed: '0.0001', percent: '0.1', min: null, max: null },
  payout_step: '0.00000001',
});
/** The amounts priced lie in the third tier, so that all of them are looked at. */
const tiered: PriceTerms = {
  ...terms,
  tiers: [1_000n, 100_000n, 10_000_000n].map((from) => ({ from, rate: terms.rate })),
  sendFee: { ...terms.sendFee, min: 200n, max: 100_000_000n },
  receiveFee: { ...terms.receiveFee, min: 20_000n, max: 10_000_000_000n },
  payoutStep: 500n,
};
const QUOTES = 200_000;
const ROUNDS = 5;

function ours(price: PriceTerms): void {
  for (let amount = 0; amount < QUOTES; amount += 1) quoteSend(price, BigInt(10_000_000 + amount));
}

function back(price: PriceTerms): void {
  for (let amount = 0; amount < QUOTES; amount += 1)
    quoteReceive(price, BigInt(200_000_000 + amount));
}

function theirs(): void {
  const Exact = Decimal.clone({ precision: 60, toExpPos: 60 });
  const rate = new Exact('0.000016339');
  for (let amount = 0; amount < QUOTES; amount += 1) {
    const send = new Exact(10_000_000 + amount).div(100);
    const fee = send.mul('0.005').add(1).toDecimalPlaces(2, Decimal.ROUND_UP);
    const gross = send.sub(fee).mul(rate).toDecimalPlaces(8, Decimal.ROUND_DOWN);
    gross.sub(gross.mul('0.001').add('0.0001').toDecimalPlaces(8, Decimal.ROUND_UP));
  }
}

function microseconds(work: () => void): number {
  const began = performance.now();
  work();
  return ((performance.now() - began) * 1000) / QUOTES;
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const rounds = Array.from({ length: ROUNDS + 1 }, () => ({
  send: microseconds(() => ours(terms)),
  receive: microseconds(() => back(terms)),
  'send, tiered': microseconds(() => ours(tiered)),
  'receive, tiered': microseconds(() => back(tiered)),
  decimal: microseconds(theirs),
})).slice(1);
const decimal = median(rounds.map((round) => round.decimal));
for (const side of ['send', 'receive', 'send, tiered', 'receive, tiered'] as const) {
  const own = median(rounds.map((round) => round[side]));
  console.log(
    `quote by side: ${side.padEnd(15)} ${own.toFixed(2)} µs, ${(own / decimal).toFixed(2)} of decimal.js (${decimal.toFixed(2)} µs)`,
  );
}
