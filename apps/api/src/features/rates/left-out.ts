/**
 * Pure: what a provider gave lately and leaves out now. Which units a provider carries nobody knows but
 * by what it gives, so one that it never gave is no complaint, and one that it dropped is none for ever.
 */
import { DAY } from '#kernel/clock.ts';
import { marketOf } from '#features/market/market.ts';
import type { Asked } from './asking.ts';
import type { Judgement, Law, Refused } from './law.ts';
import { basesOf, labelOf } from './providers.ts';
import { standingFor } from './unsound.ts';

const REMEMBERED_DAYS = 7;

/** What was given before has no weight any more. */
export function givenSince(now: Date): Date {
  return new Date(now.getTime() - REMEMBERED_DAYS * DAY);
}

/**
 * Of those that answered, what was asked of them and is not in their answer, also where no pair
 * needs it. `asked`: the units; `gave`: those of each provider, lately.
 */
export function leftOut(
  {
    units: asked,
    law: { now },
  }: { readonly units: readonly string[]; readonly law: Pick<Law, 'now'> },
  { heard, attempts }: Pick<Asked, 'heard' | 'attempts'>,
  { accepted }: Pick<Judgement, 'accepted'>,
  gave: ReadonlyMap<string, readonly string[]>,
): Refused[] {
  const market = marketOf([...accepted], now);
  const believed = new Map(accepted.map((rate) => [rate.unit, rate]));
  const answered = attempts.filter(({ outcome }) => outcome === 'ok');
  return answered.flatMap(({ provider }) => {
    const rates = heard.find((each) => each.provider === provider)?.rates ?? [];
    // What waits and is repeated was said in another run.
    const said = rates.filter(({ heardAt }) => heardAt === undefined);
    const units = new Set(said.flatMap(({ unit, base }) => [unit, base]));
    const [base = ''] = basesOf(provider);
    return (gave.get(provider) ?? [])
      .filter((unit) => asked.includes(unit) && !units.has(unit))
      .map((unit) => {
        const stands = standingFor(believed, market, { unit, base });
        const message = `${labelOf(provider)} gave no rate of ${unit}, which it gave before.`;
        const instead = stands && { instead: stands.provider };
        return { unit, provider, reason: 'left_out', message, ...instead };
      });
  });
}
