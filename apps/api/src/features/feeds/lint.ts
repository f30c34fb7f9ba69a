/**
 * Pure: what a monitor would refuse of the codes and directions together, and what
 * the settings name in vain. Codes are data: the database keeps them apart and in
 * their pattern, and this looks again before a whole file is refused for one. What
 * an item says beside them is sound as it is made, or the pair has a gap instead.
 */
import type { FeedFault, FeedFinding, FeedSettings } from '@cambist/contract/feeds';
import type { Item } from './items.ts';

export interface Lint {
  /** Without those that a monitor would refuse. */
  readonly passed: readonly Item[];
  readonly findings: readonly FeedFinding[];
}

const CODE = /^[A-Z0-9_]{2,20}$/;

export function lint(items: readonly Item[]): Lint {
  const owners = new Map<string, string>();
  const directions = new Set<string>();
  const passed: Item[] = [];
  const findings: FeedFinding[] = [];
  for (const item of items) {
    const found = [...ofCodes(item), ...ofOwners(item, owners), ...ofDirection(item, directions)];
    findings.push(...found);
    if (found.length === 0) passed.push(item);
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
      .map((pair) => warning('name_unknown', `The settings name ${pair}: no such pair.`)),
    ...cities.flatMap(({ currency }) => {
      const kind = kinds.get(currency);
      if (kind === 'cash') return [];
      if (kind === undefined) {
        const words = `The settings name cities of ${currency}: no pair has such a currency.`;
        return [warning('name_unknown', words)];
      }
      return [warning('city_needless', `The settings name cities of ${currency}: it is no cash.`)];
    }),
  ];
}

function ofCodes({ pair, from, to }: Item): FeedFinding[] {
  const findings = [from, to].flatMap((code) => {
    if (CODE.test(code)) return [];
    const words = `The code ${code} must be 2 to 20 capital letters, digits or underscores.`;
    return [error('code_pattern', pair, words)];
  });
  if (from === to)
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

function error(fault: FeedFault, pair: string, message: string): FeedFinding {
  return { severity: 'error', fault, pair, message };
}

function warning(fault: FeedFault, message: string): FeedFinding {
  return { severity: 'warning', fault, pair: null, message };
}
