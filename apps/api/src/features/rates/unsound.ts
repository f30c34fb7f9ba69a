/**
 * What is wrong with figures by themselves, told once all of the run is known: of every provider, since
 * one that sends rubbish is not well because another fills in.
 */
import { findPath, marketOf, type BelievedRate, type Market } from '#features/market/market.ts';
import type { Sifted } from './faults.ts';
import { refuse, settled, type Desk } from './judges-desk.ts';
import type { Refused } from './law.ts';
import type { GivenRate } from './provider.ts';

/** Refuses the units that nothing of the run has decided, and answers what else is told: it holds nothing up. */
export function refuseUnsound(desk: Desk, sifted: readonly Sifted[]): Refused[] {
  const market = marketOf([...desk.accepted.values()], desk.law.now);
  const besides = new Map<string, Refused>();
  for (const { sound, faults } of sifted) {
    const { provider } = sound;
    for (const { given, fault } of faults) {
      const { unit, heardAt } = given;
      const { reason, message } = fault;
      const stands = standingFor(desk.accepted, market, given);
      if (stands === undefined && !settled(desk, unit)) refuse(desk, sound, unit, fault);
      const told = desk.refusals.get(unit)?.[0];
      const isTold = told?.provider === provider && told.reason === reason;
      // What waits and is repeated was said in another run.
      if (isTold || heardAt !== undefined) continue;
      const instead = stands && { instead: stands.provider };
      besides.set(`${provider} ${unit}`, { unit, provider, reason, message, ...instead });
    }
  }
  return [...besides.values()];
}

/** What a run believes in its place: also where that was given the other way round. */
export function standingFor<Rate extends Pick<BelievedRate, 'provider'>>(
  accepted: ReadonlyMap<string, Rate>,
  market: Market,
  { unit, base }: Pick<GivenRate, 'unit' | 'base'>,
): Rate | BelievedRate | undefined {
  return accepted.get(unit) ?? findPath(market, base, unit)?.at(-1)?.rate;
}
