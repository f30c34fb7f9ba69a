/** Pure: what is wrong with figures by themselves, whatever others say. */
import type { RefusalReason } from '@cambist/contract/rate-outcomes';
import { compare, parseDecimal, type Decimal } from '@cambist/money/decimal';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { inverseIsNothing } from './comparison.ts';
import type { Heard, Law } from './law.ts';
import type { GivenRate } from './provider.ts';

export interface Fault {
  readonly reason: RefusalReason;
  readonly message: string;
}

const MOST_AHEAD_MS = 5 * MINUTE;

export function fail(reason: RefusalReason, message: string): Fault {
  return { reason, message };
}

function spoken(time: Date): string {
  return upTo('minutes', time);
}

/** How far a time is written: `2026-11-22 04:50`, and on. */
const LENGTHS = { minutes: 16, seconds: 19, milliseconds: 23 } as const;

function upTo(part: keyof typeof LENGTHS, time: Date): string {
  return `${time.toISOString().slice(0, LENGTHS[part]).replace('T', ' ')} UTC`;
}

/** Two times of which one is the older, as finely as they differ. */
export function spokenApart(one: Date, other: Date): readonly [string, string] {
  const differ = (part: keyof typeof LENGTHS) => upTo(part, one) !== upTo(part, other);
  const part = differ('minutes') ? 'minutes' : differ('seconds') ? 'seconds' : 'milliseconds';
  return [upTo(part, one), upTo(part, other)];
}

/** What one provider said, apart: only what is sound may be compared with anything. */
export interface Sifted {
  readonly sound: Heard;
  readonly faults: readonly { readonly given: GivenRate; readonly fault: Fault }[];
}

/** What of the law a figure by itself is measured by. */
export type SiftLaw = Pick<Law, 'limits' | 'newest' | 'now'>;

export function sift(law: SiftLaw, heard: Heard): Sifted {
  const isOwn = ({ unit, base }: GivenRate) => unit === base;
  const isOff = (each: GivenRate) => isOwn(each) && !isOne(each.rate);
  const offBases = new Set(heard.rates.filter(isOff).map(({ base }) => base));
  const judged = heard.rates
    .filter((given) => !isOwn(given))
    .map((given) => ({
      given,
      // What was heard before was not in terms of what the base is now.
      fault:
        offBases.has(given.base) && given.heardAt === undefined
          ? fail('base_not_one', notOne(heard, given))
          : faultOf(law, heard, given),
    }));
  return {
    sound: {
      ...heard,
      rates: judged.flatMap(({ given, fault }) => (fault === null ? [given] : [])),
    },
    faults: judged.flatMap(({ given, fault }) => (fault === null ? [] : [{ given, fault }])),
  };
}

function faultOf(law: SiftLaw, heard: Heard, given: GivenRate): Fault | null {
  const { label, provider, feed } = heard;
  const { unit, rate, asOf } = given;
  const decimal = decimalOf(rate);
  if (decimal === null) return fail('not_a_rate', noRate(label, rate, unit));
  if (inverseIsNothing(decimal))
    return fail(
      'inverse_too_small',
      `${label} gave ${rate} for ${unit}; the other way round no digit is left.`,
    );
  if (Number.isNaN(asOf.getTime()))
    return fail('not_a_rate', `${label} gave ${unit} without a time that can be read.`);
  const ageMs = law.now.getTime() - asOf.getTime();
  if (!(ageMs >= -MOST_AHEAD_MS))
    return fail(
      'from_the_future',
      `${label} dates its rate of ${unit} ${spoken(asOf)}, which has not come yet.`,
    );
  const mostHours = law.limits.max_age_hours[feed];
  if (ageMs > mostHours * HOUR)
    return fail(
      'too_old',
      `The rate of ${unit} from ${label} is of ${spoken(asOf)}, older than ${mostHours} hours.`,
    );
  const last = law.newest.find((each) => each.provider === provider && each.unit === unit);
  // Another provider's clock is not this one's; when its figure may replace this one stands in `judge.ts`.
  if (last === undefined || asOf >= last.asOf) return null;
  const [own, before] = spokenApart(asOf, last.asOf);
  return fail(
    'older_than_last',
    `The rate of ${unit} from ${label} is of ${own}, older than its last one of ${before}.`,
  );
}

export function refusedWords(
  { label }: Pick<Heard, 'label'>,
  { unit, base, rate }: Pick<GivenRate, 'unit' | 'base' | 'rate'>,
): string {
  return `An admin refused ${rate} for ${unit} in terms of ${base}, and ${label} still says so, or nearly.`;
}

/** What stands in the place of a rate, in words: `plain-decimal.ts` and `reading.ts` have these of them. */
function noRate(label: string, rate: string, unit: string): string {
  if (rate === 'too large')
    return `${label} gave a figure for ${unit} that is too large to be kept.`;
  if (rate === 'too small')
    return `${label} gave a figure for ${unit} that is too small to be kept.`;
  if (rate.endsWith('…')) return `${label} gave ${rate} for ${unit}, which is too long to be kept.`;
  if (rate === 'no number')
    return `${label} gave something for ${unit} that is no figure as documented.`;
  if (/^-?0+(\.0+)?$/.test(rate)) return `${label} gave 0 for ${unit}.`;
  return `${label} gave ${rate} for ${unit}.`;
}

function notOne({ label }: Heard, { unit, base }: GivenRate): string {
  return `${label} gave ${unit} in terms of ${base}, and ${base} in terms of itself was not 1.`;
}

function isOne(rate: string): boolean {
  const decimal = decimalOf(rate);
  return decimal !== null && compare(decimal, parseDecimal('1')) === 0;
}

/** Above zero, and no more digits than the column keeps; null for anything else. */
function decimalOf(rate: string): Decimal | null {
  if (!/^\d{1,42}(\.\d{1,18})?$/.test(rate)) return null;
  const decimal = parseDecimal(rate);
  return decimal.units > 0n ? decimal : null;
}
