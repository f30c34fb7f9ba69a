/** What a judge of rates is given, what it goes by, and what it finds. */
import type { QuarantineReason } from '@cambist/contract/rate-outcomes';
import type { RateRefusal } from '@cambist/contract/rates';
import type { RateApi, RateFeed, RateProviderName } from '@cambist/contract/rate-settings';
import type { BelievedRate, Market, OwnTime } from '#features/market/market.ts';
import type { GivenRate } from './provider.ts';

/** What one provider said in this run. */
export interface Heard {
  readonly provider: RateProviderName;
  readonly label: string;
  readonly feed: RateFeed;
  readonly rates: readonly GivenRate[];
  /** When: before this run where it was not its turn. */
  readonly heardAt: Date;
}

/** `instead`: whose rate is believed in its place, which the message does not say. */
export type Refused = Omit<RateRefusal, 'instead'> & { readonly instead?: string };

/** A rate that is not believed without an admin's yes. */
export interface Jump extends Omit<BelievedRate, 'confirmedAt' | 'freshUntil'> {
  readonly provider: RateProviderName;
  readonly reason: QuarantineReason;
  /** What it was compared with, in the same direction; null where nothing could be, or that cannot be written. */
  readonly previous: string | null;
  /** Null where nothing could be compared. */
  readonly changePercent: string | null;
  /** What a yes speaks against, where that is not the previous rate; zero where it cannot be written. */
  readonly former: string | null;
  /** Where that is the reason: of those who say something else, the one whose rate would have been believed. */
  readonly contradictedBy: RateProviderName | null;
  readonly seenAt: Date;
}

export interface Judgement {
  readonly accepted: readonly BelievedRate[];
  readonly jumps: readonly Jump[];
  /** Of each unit that this run brought nothing of: why the last good rate stands. */
  readonly refusals: readonly Refused[];
  /** Of each such unit, what every provider was refused for. */
  readonly refused: readonly Refused[];
  /** What else was unsound, and holds nothing up: told all the same. */
  readonly besides: readonly Refused[];
  /** Units that are needed and not connected by what was heard in this run. */
  readonly lacking: readonly string[];
}

/** What a judge goes by. */
export interface Law {
  /** What is believed so far. */
  readonly market: Market;
  /** Of each provider and unit, whoever's rate of it stands now. */
  readonly newest: readonly OwnTime[];
  /** What was believed a day ago; of several, the first that connects two units has the word. */
  readonly dayAgo: readonly Market[];
  /** What was believed a day before that, of units that were known then. */
  readonly twoDaysAgo?: Market;
  /** What each pair was sold at lately: all there is to compare the first rate of a unit with. */
  readonly sold?: readonly BelievedRate[];
  readonly now: Date;
  readonly limits: Pick<
    RateApi,
    'jump_percent' | 'day_percent' | 'max_age_hours' | 'stale_minutes'
  >;
  readonly needed: ReadonlySet<string>;
  /** The providers of the settings, in their order. */
  readonly order: readonly string[];
  /** Those of them that were to be asked in this run and gave no answer. */
  readonly silent: ReadonlySet<string>;
  readonly outvoted: readonly Outvoted[];
}

/** What an admin's word lately spoke against: a refused figure, or the former rate after a yes. */
export interface Outvoted extends Pick<GivenRate, 'unit' | 'base' | 'rate' | 'inverted'> {
  readonly provider: string;
  /** `its`: this provider's figure was refused. `others`: its figure was accepted, against the former. */
  readonly whose: 'its' | 'others';
  /** The figure that got the yes, where the former rate is `others`'. */
  readonly accepted?: string;
  /** Whether the very figure alone is meant: what is near one that crept is near what is believed. */
  readonly isExact?: boolean;
}
