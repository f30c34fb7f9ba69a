/** What the demo desk's customers exchanged in the last thirty days, and how it went. */

export type Fate =
  | 'completed'
  | 'approved'
  | 'to_review'
  | 'claimed'
  | 'awaiting_payment'
  | 'cancelled'
  | 'expired'
  | 'rejected';

export interface PastExchange {
  readonly hoursAgo: number;
  /** The place among the customers. */
  readonly customer: number;
  readonly pair: string;
  /** Sent, in major units. */
  readonly amount: string;
  readonly fate: Fate;
  /** Uploads the file of this earlier exchange of somebody else's, by its place in the list. */
  readonly sameFileAs?: number;
}

type Trade = readonly [pair: string, amount: string];

/** None at the counter, which is closed at most of the times that these are made at. */
const TRADES: readonly Trade[] = [
  ['usdt-trc20-to-ngn', '420.00'],
  ['usd-to-eur', '1250.00'],
  ['btc-to-eur', '0.0185'],
  ['gbp-to-eur', '860.50'],
  ['usdt-trc20-to-usd', '2400.00'],
  ['eth-to-usdt-trc20', '0.75'],
  ['eur-to-usd', '3100.00'],
  ['usdt-trc20-to-kes-mpesa', '180.00'],
  ['usdt-trc20-to-eur', '975.25'],
  ['gbp-to-ngn', '240.00'],
  ['btc-to-usdt-trc20', '0.042'],
  ['usd-to-jpy', '640.00'],
  ['usdt-trc20-to-ngn', '1150.00'],
  ['eur-to-usdt-trc20', '500.00'],
  ['usdt-trc20-to-eth', '2750.00'],
  ['kwd-to-usd', '310.000'],
  ['usd-to-kwd', '1200.00'],
];

/** Every fifteenth ends without a payout, which is about what a careful desk sees. */
const OTHER_FATES: Readonly<Record<number, Fate>> = {
  4: 'cancelled',
  11: 'expired',
  17: 'rejected',
  23: 'cancelled',
  30: 'expired',
  38: 'cancelled',
  41: 'rejected',
};
const PAST_COUNT = 46;
const OLDEST_HOURS = 29 * 24;
const NEWEST_HOURS = 3;

/** Denser toward today, as a growing desk's would be. */
const past: readonly PastExchange[] = Array.from({ length: PAST_COUNT }, (_, at) => {
  const [pair, amount] = TRADES[at % TRADES.length] ?? ['usd-to-eur', '100.00'];
  const left = (PAST_COUNT - at) / PAST_COUNT;
  return {
    hoursAgo: NEWEST_HOURS + (OLDEST_HOURS - NEWEST_HOURS) * left ** 1.6,
    customer: (at * 5) % 11,
    pair,
    amount,
    fate: OTHER_FATES[at] ?? 'completed',
  };
});

const today: readonly PastExchange[] = [
  { hoursAgo: 2.6, customer: 3, pair: 'usd-to-eur', amount: '2000.00', fate: 'approved' },
  { hoursAgo: 2.3, customer: 7, pair: 'gbp-to-ngn', amount: '350.00', fate: 'to_review' },
  { hoursAgo: 2.1, customer: 1, pair: 'usdt-trc20-to-usd', amount: '640.00', fate: 'approved' },
  { hoursAgo: 1.9, customer: 4, pair: 'usd-to-jpy', amount: '1500.00', fate: 'to_review' },
  {
    hoursAgo: 1.6,
    customer: 9,
    pair: 'eur-to-usd',
    amount: '780.00',
    fate: 'to_review',
    sameFileAs: 51,
  },
  { hoursAgo: 1.7, customer: 2, pair: 'eur-to-usd', amount: '780.00', fate: 'to_review' },
  { hoursAgo: 1.3, customer: 0, pair: 'usd-to-eur', amount: '500.00', fate: 'to_review' },
  { hoursAgo: 1.1, customer: 11, pair: 'gbp-to-eur', amount: '1200.00', fate: 'to_review' },
  { hoursAgo: 0.9, customer: 5, pair: 'eur-to-usdt-trc20', amount: '1450.00', fate: 'to_review' },
  { hoursAgo: 0.7, customer: 6, pair: 'kwd-to-usd', amount: '250.000', fate: 'to_review' },
  { hoursAgo: 0.6, customer: 8, pair: 'usd-to-kwd', amount: '900.00', fate: 'claimed' },
  {
    hoursAgo: 0.4,
    customer: 10,
    pair: 'gbp-to-kes-mpesa',
    amount: '150.00',
    fate: 'awaiting_payment',
  },
  { hoursAgo: 0.3, customer: 0, pair: 'usd-to-gbp', amount: '320.00', fate: 'awaiting_payment' },
  {
    hoursAgo: 0.2,
    customer: 3,
    pair: 'usdt-trc20-to-ngn',
    amount: '260.00',
    fate: 'awaiting_payment',
  },
];

/** Oldest first, but for the two of one file. */
export const pastExchanges: readonly PastExchange[] = [...past, ...today];
