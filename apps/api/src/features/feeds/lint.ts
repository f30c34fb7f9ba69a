/**
 * Pure: what a monitor would refuse. It knows nothing of how the items were made,
 * so that it also finds what was made wrongly.
 */
import type { FeedFault, FeedFinding, FeedSettings } from '@cambist/contract/feeds';
import { compare, MoneyError, parseDecimal, zero, type Decimal } from '@cambist/money/decimal';
import type { Item } from './items.ts';

export interface Lint {
  /** Without those that a monitor would refuse. */
  readonly passed: readonly Item[];
  readonly findings: readonly FeedFinding[];
}

const CODE = /^[A-Z0-9_]{2,20}$/;
const CITY = /^[A-Z0-9]{2,10}$/;

/** `in`, `out` and so on are what every format demands. */
const AMOUNTS = [
  ['in', 'in'],
  ['out', 'out'],
  ['reserve', 'amount'],
  ['sendMin', 'minamount'],
  ['sendMax', 'maxamount'],
  ['receiveMin', 'tomin'],
  ['receiveMax', 'tomax'],
] as const satisfies readonly (readonly [keyof Item, string])[];

export function lint(items: readonly Item[]): Lint {
  const owners = new Map<string, string>();
  const directions = new Set<string>();
  const passed: Item[] = [];
  const findings: FeedFinding[] = [];
  for (const item of items) {
    const found = [
      ...ofCodes(item),
      ...ofOwners(item, owners),
      ...ofDirection(item, directions),
      ...ofAmounts(item),
      ...ofCity(item),
    ];
    findings.push(...found);
    if (found.every(({ severity }) => severity === 'warning')) passed.push(item);
  }
  return { passed, findings };
}

/** What the settings name and the desk does not have. */
export function lintSettings(
  { pair_flags, excluded, cities }: FeedSettings,
  pairs: readonly {
    readonly slug: string;
    readonly send: { readonly slug: string; readonly kind: string };
    readonly receive: { readonly slug: string; readonly kind: string };
  }[],
): FeedFinding[] {
  const known = new Set(pairs.map(({ slug }) => slug));
  const kinds = new Map(
    pairs.flatMap(({ send, receive }) => [send, receive]).map(({ slug, kind }) => [slug, kind]),
  );
  const named = [...new Set([...pair_flags.map(({ pair }) => pair), ...excluded])];
  return [
    ...named
      .filter((pair) => !known.has(pair))
      .map((pair) => warning('name_unknown', null, `The settings name ${pair}: no such pair.`)),
    ...cities.flatMap(({ currency }) => {
      const kind = kinds.get(currency);
      if (kind === 'cash') return [];
      if (kind === undefined) {
        const words = `The settings name cities of ${currency}: no pair has such a currency.`;
        return [warning('name_unknown', null, words)];
      }
      return [
        warning('city_needless', null, `The settings name cities of ${currency}: it is no cash.`),
      ];
    }),
  ];
}

function ofCodes({ pair, from, to }: Item): FeedFinding[] {
  const findings = [from, to].flatMap((code) => {
    if (code === '') return [error('element_missing', pair, 'A currency has no export code.')];
    if (CODE.test(code)) return [];
    const words = `The code ${code} must be 2 to 20 capital letters, digits or underscores.`;
    return [error('code_pattern', pair, words)];
  });
  if (from === to && from !== '')
    findings.push(error('code_same', pair, `Both its currencies have the code ${from}.`));
  return findings;
}

/** A code means one currency in the whole file. */
function ofOwners(item: Item, owners: Map<string, string>): FeedFinding[] {
  return (['send', 'receive'] as const).flatMap((side) => {
    const code = side === 'send' ? item.from : item.to;
    const owner = owners.get(code) ?? item[side];
    owners.set(code, owner);
    if (owner === item[side]) return [];
    const words = `The code ${code} is also the one of ${owner}.`;
    return [error('code_doubled', item.pair, words)];
  });
}

function ofDirection({ pair, from, to, city }: Item, directions: Set<string>): FeedFinding[] {
  const direction = [from, to, ...(city === null ? [] : [city])].join(' ');
  if (!directions.has(direction)) {
    directions.add(direction);
    return [];
  }
  return [error('direction_doubled', pair, `The direction ${direction} is in the file already.`)];
}

function ofAmounts(item: Item): FeedFinding[] {
  const { pair } = item;
  const read = AMOUNTS.map(([field, element]) => ({ element, value: decimal(item[field]) }));
  const missing = read.filter(({ value }) => value === null);
  if (missing.length > 0) {
    return missing.map(({ element }) =>
      error('element_missing', pair, `It has no ${element} that is a number.`),
    );
  }
  const of = (name: string) => read.find(({ element }) => element === name)?.value ?? zero;
  const findings: FeedFinding[] = [];
  const fault = (isFault: boolean, kind: FeedFault, words: string) => {
    if (isFault) findings.push(error(kind, pair, words));
  };
  const above = (one: string, other: string) => compare(of(one), of(other)) > 0;
  fault(isZero(of('in')) || isZero(of('out')), 'rate_zero', 'Its rate is zero.');
  fault(
    above('minamount', 'maxamount') || above('tomin', 'tomax'),
    'min_above_max',
    'Its minimum is above its maximum.',
  );
  fault(above('tomin', 'amount'), 'reserve_below_min', 'Its reserve is below its minimum.');
  return findings;
}

function ofCity({ pair, from, to, cash, city }: Item): FeedFinding[] {
  if (city === null) {
    return cash.map((code) =>
      error('city_missing', pair, `${code} is cash, and it says no city for it.`),
    );
  }
  if (!CITY.test(city))
    return [error('city_unknown', pair, `${city} is no code of a city: capital letters only.`)];
  if (cash.length > 0) return [];
  const words = `It says a city, and neither ${from} nor ${to} is cash.`;
  return [warning('city_needless', pair, words)];
}

function isZero({ units }: Decimal): boolean {
  return units === 0n;
}

/** Null for what is no decimal, or below zero. */
function decimal(text: string): Decimal | null {
  try {
    const value = parseDecimal(text);
    return value.units < 0n ? null : value;
  } catch (error) {
    if (error instanceof MoneyError) return null;
    throw error;
  }
}

function error(fault: FeedFault, pair: string, message: string): FeedFinding {
  return { severity: 'error', fault, pair, message };
}

function warning(fault: FeedFault, pair: string | null, message: string): FeedFinding {
  return { severity: 'warning', fault, pair, message };
}
