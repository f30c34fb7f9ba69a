/** What is said beside a rate that stands in the place of one of an earlier provider. */
import { marketOf, type BelievedRate, type Market } from '#features/market/market.ts';
import { sparedWords, wordsOfThen } from './attempt.ts';
import { isSilent } from './provider-state.ts';
import { basesOf } from './providers.ts';
import type { RunRow } from './store.ts';
import { standingFor } from './unsound.ts';

/**
 * By the unit of the rate that stands: why that of a provider which is asked before it does not. Of
 * several the first asked is told of. `gave`: the units of each provider, lately.
 */
export function filledIn(
  { rates }: Market,
  { started_at, attempts, refusals }: Pick<RunRow, 'started_at' | 'attempts' | 'refusals'>,
  gave: ReadonlyMap<string, readonly string[]>,
  now: Date,
): Map<string, string> {
  const heard = rates.filter(({ confirmedAt }) => confirmedAt >= started_at);
  const market = marketOf(heard, now);
  const byUnit = new Map(heard.map((rate) => [rate.unit, rate]));
  const place = (name: string) => attempts.findIndex(({ provider }) => provider === name);
  const standsFor = (provider: string, unit: string): BelievedRate | undefined => {
    const [base = ''] = basesOf(provider);
    const rate = standingFor(byUnit, market, { unit, base });
    return rate && place(provider) < place(rate.provider) ? rate : undefined;
  };
  const notes = new Map<string, string>();
  const note = (rate: BelievedRate | undefined, message: string) => {
    if (rate && !notes.has(rate.unit)) notes.set(rate.unit, message);
  };
  for (const attempt of attempts) {
    const { provider } = attempt;
    // The run tells of unsound figures before those that were left out, and so does this.
    for (const refusal of refusals.filter((each) => each.provider === provider)) {
      const rate = standsFor(provider, refusal.unit);
      if (rate?.provider === refusal.instead) note(rate, refusal.message);
    }
    // Of who gave nothing at all, or was not asked, no unit was refused.
    const words = isSilent(attempt) ? wordsOfThen(attempt, started_at) : sparedWords(attempt);
    if (words === null) continue;
    for (const unit of gave.get(provider) ?? []) note(standsFor(provider, unit), words);
  }
  return notes;
}
