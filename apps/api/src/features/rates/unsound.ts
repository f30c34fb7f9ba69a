/**
 * What is wrong with figures by themselves, told once all of the run is known: of every provider, since
 * one that sends rubbish is not well because another fills in.
 */
import type { RateRefusal } from '@cambist/contract/rates';
import { findPath, marketOf, type BelievedRate, type Market } from '#features/market/market.ts';
import type { Sifted } from './faults.ts';
import { refuse, settled, type Desk } from './judges-desk.ts';
import type { GivenRate } from './provider.ts';
import { labelOf } from './providers.ts';

/** Refuses the units that nothing of the run has decided, and answers what else is told: it holds nothing up. */
export function refuseUnsound(desk: Desk, sifted: readonly Sifted[]): RateRefusal[] {
  const market = marketOf([...desk.accepted.values()], desk.law.now);
  const besides = new Map<string, RateRefusal>();
  for (const { sound, faults } of sifted) {
    const { provider } = sound;
    for (const { given, fault } of faults) {
      const { unit, heardAt } = given;
      const { reason, message } = fault;
      const words = insteadOf(desk.accepted, market, given, provider);
      if (words === '' && !settled(desk, unit)) refuse(desk, sound, unit, fault);
      const told = desk.refusals.get(unit)?.[0];
      const isTold = told?.provider === provider && told.reason === reason;
      // What waits and is repeated was said in another run.
      if (isTold || heardAt !== undefined) continue;
      besides.set(`${provider} ${unit}`, { unit, provider, reason, message: `${message}${words}` });
    }
  }
  return [...besides.values()];
}

/** In words, what this run believes in its place: also where that was given the other way round. Empty for nothing. */
export function insteadOf(
  accepted: ReadonlyMap<string, Pick<BelievedRate, 'provider'>>,
  market: Market,
  { unit, base }: Pick<GivenRate, 'unit' | 'base'>,
  provider: string,
): string {
  const instead = accepted.get(unit) ?? findPath(market, base, unit)?.at(-1)?.rate;
  if (instead === undefined) return '';
  if (instead.provider === provider) return ' Its other rate stands.';
  return ` The rate from ${labelOf(instead.provider)} stands.`;
}
