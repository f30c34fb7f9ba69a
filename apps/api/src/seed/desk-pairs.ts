/** The pairs of the demo desk, with what each unit is worth today and how restless it is. */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { createPair } from '@cambist/contract/pairs';
import type { Unit } from './rate-walk.ts';

type Draft = BodyOf<typeof createPair>;

/** Everything but the rate, which follows from the units. */
export type DemoPair = Omit<Draft, 'mid_rate' | 'position'>;

/** By unit, since all channels of a unit have one mid rate. */
export const demoUnits: Readonly<Record<string, Unit>> = {
  USD: { value: '1', unrest: 0n },
  EUR: { value: '1.1624', unrest: 420n },
  GBP: { value: '1.3418', unrest: 460n },
  NGN: { value: '0.000661', unrest: 900n },
  JPY: { value: '0.0065862', unrest: 520n },
  KWD: { value: '3.2691', unrest: 90n },
  PLN: { value: '0.27408', unrest: 560n },
  KES: { value: '0.0077369', unrest: 340n },
  USDT: { value: '0.9997', unrest: 45n },
  BTC: { value: '96412.5', unrest: 5200n },
  ETH: { value: '3481.2', unrest: 6900n },
};

const free = { fixed: '0', percent: '0' };

/** Margin in percent, digits of the rate, and the limits of what can be sent. */
function pair(
  send: string,
  receive: string,
  [margin_percent, rate_digits, min_send, max_send]: readonly [string, number, string, string],
  more: Partial<DemoPair> = {},
): DemoPair {
  return {
    send,
    receive,
    margin_percent,
    rate_digits,
    send_fee: free,
    receive_fee: free,
    min_send,
    max_send,
    day_max_send: null,
    month_max_send: null,
    lock_minutes: 15,
    pay_minutes: 120,
    evidence: 'proof',
    complete_on_approval: false,
    active: true,
    ...more,
  };
}

/** A chain shows the payment by itself, so the transaction's id will do as evidence. */
const onChain = { evidence: 'either', pay_minutes: 45, lock_minutes: 10 } as const;
const percent = (text: string) => ({ fixed: '0', percent: text });
const fixed = (text: string) => ({ fixed: text, percent: '0' });
/** The larger the amount, the smaller the margin. */
const tiers = (...steps: [from: string, margin_percent: string][]) =>
  steps.map(([from, margin_percent]) => ({ from, margin_percent }));
/** The counter's, in the desk's time zone. */
const counterHours = [
  { days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' },
  { days: [6], from: '10:00', to: '14:00' },
];

export const demoPairs: readonly DemoPair[] = [
  pair('usd', 'eur', ['0.65', 4, '25', '25000'], {
    day_max_send: '50000',
    month_max_send: '250000',
    tiers: tiers(['5000', '0.5'], ['15000', '0.4']),
  }),
  pair('eur', 'usd', ['0.65', 4, '25', '25000'], {
    receive_fee: fixed('1.50'),
    day_max_send: '50000',
    tiers: tiers(['5000', '0.5']),
  }),
  pair('gbp', 'eur', ['0.6', 4, '20', '20000'], { day_max_send: '40000' }),
  pair('eur', 'gbp', ['0.6', 4, '25', '20000']),
  pair('usd', 'gbp', ['0.7', 4, '25', '20000']),
  pair('gbp', 'usd', ['0.7', 4, '20', '20000'], { receive_fee: fixed('1.50') }),
  pair('gbp', 'ngn', ['1.4', 2, '20', '8000'], { receive_fee: fixed('50.00') }),
  pair('usd', 'ngn', ['1.4', 2, '25', '10000'], { receive_fee: fixed('50.00') }),
  pair('eur', 'ngn', ['1.4', 2, '25', '10000'], { receive_fee: fixed('50.00') }),
  pair('usdt-trc20', 'ngn', ['1.1', 2, '20', '15000'], { ...onChain, receive_fee: fixed('50.00') }),
  pair('ngn', 'usdt-trc20', ['1.6', 8, '40000', '15000000'], { receive_fee: fixed('1') }),
  pair('usdt-trc20', 'usd', ['0.5', 4, '50', '30000'], { ...onChain, receive_fee: fixed('1.50') }),
  pair('usd', 'usdt-trc20', ['0.8', 4, '50', '20000'], { receive_fee: fixed('1') }),
  pair('usdt-trc20', 'eur', ['0.7', 4, '50', '30000'], onChain),
  pair('eur', 'usdt-trc20', ['0.9', 4, '50', '20000'], { receive_fee: fixed('1') }),
  pair('usdt-trc20', 'usd-cash', ['0.9', 4, '105', '9500'], {
    ...onChain,
    complete_on_approval: true,
    // Notes of five dollars and more.
    payout_step: '5',
    hours: counterHours,
  }),
  pair('usd-cash', 'usdt-trc20', ['1.2', 4, '100', '9500'], {
    receive_fee: fixed('1'),
    hours: counterHours,
  }),
  pair('btc', 'eur', ['1.1', 2, '0.0005', '0.5'], {
    ...onChain,
    tiers: tiers(['0.05', '0.9'], ['0.2', '0.75']),
  }),
  pair('eur', 'btc', ['1.3', 10, '50', '20000'], { receive_fee: fixed('0.00006') }),
  pair('btc', 'usdt-trc20', ['0.9', 2, '0.0005', '1.5'], { ...onChain, receive_fee: fixed('1') }),
  pair('eth', 'usdt-trc20', ['0.9', 4, '0.01', '20'], { ...onChain, receive_fee: fixed('1') }),
  pair('usdt-trc20', 'eth', ['1', 10, '50', '40000'], { ...onChain, receive_fee: fixed('0.0004') }),
  pair('usd', 'jpy', ['0.8', 2, '25', '20000']),
  pair('jpy', 'usd', ['0.8', 6, '4000', '3000000'], { receive_fee: fixed('1.50') }),
  pair('usd', 'kwd', ['0.5', 5, '50', '20000'], { receive_fee: fixed('0.500') }),
  pair('kwd', 'usd', ['0.5', 4, '15', '6000'], { receive_fee: fixed('1.50') }),
  pair('eur', 'pln-card', ['0.9', 4, '20', '4000'], {
    receive_fee: { ...percent('1'), min: '4.00', max: '60.00' },
  }),
  pair('pln-card', 'usdt-trc20', ['1.2', 6, '100', '15000'], {
    send_fee: { ...percent('1.5'), min: '5.00' },
    receive_fee: fixed('1'),
  }),
  pair('gbp', 'kes-mpesa', ['1.3', 2, '10', '1400'], { receive_fee: fixed('35.00') }),
  pair('usdt-trc20', 'kes-mpesa', ['1.2', 2, '20', '1900'], {
    ...onChain,
    receive_fee: fixed('35.00'),
  }),
];
