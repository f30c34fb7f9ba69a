/**
 * Amounts of different currencies in one unit, the desk's reporting unit, by the desk's own mid
 * rates: of a pair, of its reverse, or of two pairs over one other unit.
 */
import type { SettingValue } from '@cambist/contract/settings';
import { toDecimal } from '@cambist/money/amount';
import { floorDivide, parseDecimal, tenTo, type Decimal } from '@cambist/money/decimal';
import { fraction, inverse, times, whole, type Fraction } from '@cambist/money/fraction';
import { read } from '#features/content/settings/settings.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { listUnitRates, type UnitRate } from './market-rates-store.ts';

type Currency = { readonly unit: string; readonly decimals: number };

export interface Valuation {
  /** The reporting unit. */
  readonly unit: string;
  /** Minor units as a value in the reporting unit; null where no rate is known. */
  valueOf(minor: bigint, currency: Currency): Decimal | null;
  /** The minor units of a currency with this value; null where no rate is known. */
  amountOf(value: Decimal, currency: Currency): bigint | null;
}

/** Values are rounded once, down, to this many decimals; amounts once, down, to their currency's. */
const VALUE_DECIMALS = 18;

/** One query, then any number of amounts. Inside a transaction pass it as `db`. */
export async function readValuation(
  deps: Pick<Deps, 'db' | 'published'>,
  db: Db | Tx = deps.db,
): Promise<Valuation> {
  return valuationNow(db, await read(deps, 'desk'));
}

/** As `readValuation`, where the settings were read before the transaction. */
export async function valuationNow(
  db: Db | Tx,
  { reporting_unit }: Pick<SettingValue<'desk'>, 'reporting_unit'>,
): Promise<Valuation> {
  return valuationIn(reporting_unit, await listUnitRates(db));
}

export function valuationIn(unit: string, rates: readonly UnitRate[]): Valuation {
  const known = knownRates(rates);
  const found = new Map<string, Fraction | null>();
  /** Reporting units for one `from`. */
  const rateOf = (from: string): Fraction | null => {
    let rate = found.get(from);
    if (rate === undefined) found.set(from, (rate = rateBetween(known, from, unit)));
    return rate;
  };
  return {
    unit,
    valueOf(minor, currency) {
      const rate = rateOf(currency.unit);
      if (rate === null) return null;
      const { numerator, denominator } = times(fraction(toDecimal(minor, currency.decimals)), rate);
      const units = floorDivide(numerator * tenTo(VALUE_DECIMALS), denominator);
      return { units, scale: VALUE_DECIMALS };
    },
    amountOf(value, currency) {
      const rate = rateOf(currency.unit);
      if (rate === null) return null;
      const { numerator, denominator } = times(fraction(value), inverse(rate));
      return floorDivide(numerator * tenTo(currency.decimals), denominator);
    },
  };
}

type KnownRates = ReadonlyMap<string, ReadonlyMap<string, Fraction>>;

/** Of each unit to its neighbours. A pair's own rate is used before its reverse. */
function knownRates(rates: readonly UnitRate[]): KnownRates {
  const known = new Map<string, Map<string, Fraction>>();
  const add = (from: string, to: string, rate: Fraction) => {
    const own = known.get(from) ?? new Map<string, Fraction>();
    known.set(from, own);
    if (!own.has(to)) own.set(to, rate);
  };
  for (const { from, to, mid_rate } of rates) add(from, to, fraction(parseDecimal(mid_rate)));
  for (const { from, to, mid_rate } of rates)
    add(to, from, inverse(fraction(parseDecimal(mid_rate))));
  return known;
}

function rateBetween(known: KnownRates, from: string, to: string): Fraction | null {
  if (from === to) return whole(1n);
  const direct = known.get(from)?.get(to);
  if (direct !== undefined) return direct;
  // In the order of names, so that every reading takes the same way.
  for (const between of [...(known.get(from)?.keys() ?? [])].toSorted()) {
    const [first, second] = [known.get(from)?.get(between), known.get(between)?.get(to)];
    if (first !== undefined && second !== undefined) return times(first, second);
  }
  return null;
}
