/** A judge's desk of euros, dollars and pounds, with what two providers say of them. */
import { marketOf, type BelievedRate } from '#features/market/market.ts';
import type { judge } from '#features/rates/judge.ts';
import type { Heard, Law } from '#features/rates/law.ts';
import type { GivenRate } from '#features/rates/provider.ts';
import { HOUR, MINUTE } from '#kernel/clock.ts';

export const NOW = new Date('2026-03-14T12:00:00Z');
export const ago = (ms: number) => new Date(NOW.getTime() - ms);

const limits: Law['limits'] = {
  jump_percent: '10',
  day_percent: '30',
  stale_minutes: 180,
  max_age_hours: { hourly: 3, daily: 26, central_bank: 120 },
};

export function law(rates: readonly BelievedRate[] = [], rest: Partial<Law> = {}): Law {
  return {
    market: marketOf(rates, NOW),
    newest: rates,
    dayAgo: [],
    now: NOW,
    limits,
    needed: new Set(['EUR', 'USD', 'GBP']),
    order: ['fixer', 'openexchangerates', 'coingecko'],
    silent: new Set(),
    outvoted: [],
    ...rest,
  };
}

export function believed(unit: string, base: string, rate: string, asOf = ago(HOUR)): BelievedRate {
  const times = { asOf, confirmedAt: ago(HOUR), freshUntil: ago(-HOUR) };
  return { unit, base, rate, inverted: false, provider: 'fixer', ...times };
}

export const given = (unit: string, base: string, rate: string, rest: Partial<GivenRate> = {}) => ({
  unit,
  base,
  rate,
  inverted: false,
  asOf: ago(10 * MINUTE),
  ...rest,
});

export const fixer = (...rates: GivenRate[]): Heard => ({
  provider: 'fixer',
  label: 'Fixer',
  feed: 'hourly',
  rates,
  heardAt: NOW,
});
export const other = (...rates: GivenRate[]): Heard => ({
  provider: 'openexchangerates',
  label: 'Open Exchange Rates',
  feed: 'hourly',
  rates,
  heardAt: NOW,
});

export const gecko = (...rates: GivenRate[]): Heard => {
  const heard = fixer(...rates);
  return { ...heard, provider: 'coingecko', label: 'CoinGecko' };
};

/** By its price, as coins come. */
export const coin = (unit: string, base: string, rate: string) =>
  given(unit, base, rate, { inverted: true });
export const believedCoin = (unit: string, base: string, rate: string): BelievedRate => ({
  ...believed(unit, base, rate),
  inverted: true,
  provider: 'coingecko',
});

export const names = (rates: readonly { unit: string }[]) => rates.map(({ unit }) => unit);
export const reasons = (judgement: ReturnType<typeof judge>) =>
  judgement.refusals.map(({ unit, reason }) => `${unit} ${reason}`);
