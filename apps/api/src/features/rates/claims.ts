/** What waits for an admin, and what becomes of it in a run whose provider says nothing of it. */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import type { RateApi } from '@cambist/contract/rate-settings';
import { compareFractions } from '@cambist/money/fraction';
import { fractionFor, type Edge } from './comparison.ts';
import { sift } from './faults.ts';
import type { Heard, Judgement, Law } from './law.ts';
import type { Word } from './opinions.ts';
import type { GivenRate } from './provider.ts';
import { labelOf } from './providers.ts';

/** A rate that waits for an admin. */
export interface Claim extends GivenRate {
  readonly provider: string;
  readonly reason: QuarantineReason;
  readonly seenAt: Date;
}

/**
 * What its provider has not taken back: it was `silent`, or it is not its turn, or it gave nothing
 * for the unit that could be a rate. Who is asked and leaves the unit out may have dropped it for
 * good: then it stands as long as it is not too old.
 */
export function standing(
  { waiting, law }: { readonly waiting: readonly Claim[]; readonly law: Law },
  heard: readonly Heard[],
  { asked, silent }: Readonly<Record<'asked' | 'silent', ReadonlySet<string>>>,
): Claim[] {
  const isNotTooOld = (claim: Claim, own: Heard) =>
    sift(law, { ...own, rates: [claim] }).sound.rates.length > 0;
  return waiting.filter((claim) => {
    const own = heard.find(({ provider }) => provider === claim.provider);
    if (own === undefined) return silent.has(claim.provider);
    if (own.heardAt < law.now) return true;
    const isOfUnit = ({ unit }: GivenRate) => unit === claim.unit;
    if (sift(law, own).sound.rates.some(isOfUnit)) return false;
    const isLeftOut = asked.has(claim.provider) && !own.rates.some(isOfUnit);
    return !isLeftOut || isNotTooOld(claim, own);
  });
}

/**
 * Whether who asks says another figure of the same two units now, and that one was judged and refused:
 * nobody says the old one any more. That another's figure waits for its base says nothing of this one.
 */
export function isCorrected(
  claim: Edge & Pick<Claim, 'provider'>,
  words: readonly Pick<Word, 'provider' | 'answered' | 'rates'>[],
  refused: Judgement['refused'],
): boolean {
  const { unit, base, provider } = claim;
  const isJudged = refused.some(
    (each) => each.unit === unit && (each.reason !== 'base_waits' || each.provider === provider),
  );
  if (!isJudged) return false;
  const said = words
    .filter((word) => word.provider === provider && word.answered)
    .flatMap(({ rates }) => rates.filter((each) => each.unit === unit && each.base === base));
  const isOther = (each: GivenRate) =>
    compareFractions(fractionFor(each), fractionFor(claim)) !== 0;
  return said.length > 0 && said.every(isOther);
}

/**
 * What was heard, and with it what each provider said before and has not taken back: its rate of a
 * base and what it gives in that base are one word.
 */
export function heardAgain(
  heard: readonly Heard[],
  claims: readonly Claim[],
  listed: readonly Pick<RateApi['providers'][number], 'name' | 'feed'>[],
  now: Date,
): Heard[] {
  const before = listed.flatMap(({ name, feed }) => {
    const own = claims.filter(({ provider }) => provider === name);
    const rates = own.map((claim) => ({ ...claim, heardAt: claim.seenAt }));
    if (rates.length === 0) return [];
    return [{ provider: name, label: labelOf(name), feed, rates, heardAt: now }];
  });
  // Nothing that it says of the unit now is sound, be it the same figure; but it may be repeated already.
  const isRepeated = (rates: readonly GivenRate[], { unit }: Claim) =>
    rates.some((one) => one.unit === unit && one.heardAt !== undefined);
  const saidBefore = ({ provider, rates }: Heard) =>
    before
      .filter((each) => each.provider === provider)
      .flatMap((each) => each.rates.filter((claim) => !isRepeated(rates, claim)));
  const isSilent = ({ provider }: Heard) => heard.every((each) => each.provider !== provider);
  return [
    ...heard.map((each) => ({ ...each, rates: [...each.rates, ...saidBefore(each)] })),
    ...before.filter(isSilent),
  ];
}
