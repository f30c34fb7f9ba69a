/** What two rows of words share, found in bounded time whatever they are. Pure. */
import { diffArrays } from 'diff';

/** So many words from these places on are the same, one after the other. */
export interface Stay {
  readonly old: number;
  readonly fresh: number;
  readonly count: number;
}

/**
 * How much work comparing may still be, in squares of how many words went and came: a search takes
 * as long. It is counted, not timed, so that a text is compared alike on every machine.
 */
export interface Effort {
  left: number;
}

/**
 * For the searches alone. With it, comparing two texts of 120 kB that share single words took 0.3 to 0.7 s
 * on a busy machine with two cores, and 0.6 to 1.2 s where they were lists nested 15 deep.
 */
export const fullEffort = (): Effort => ({ left: 4_000_000 });
/** So many words may go and come in a whole text that is searched at once, and in a part of one. */
const wholeLimit = 1_000;
const partLimit = 200;
/** What each search takes by itself. */
const ofEachSearch = 50;
/** Of so many words in a row, which either text has once, are those by which it is cut in parts. */
const cuts = [9, 3, 1];

/** A number for each word: the same one for the same word. */
type Row = readonly number[];

/** In their order: the most that stayed, or about that where more has changed than the effort is enough for. */
export function staysOf(old: readonly string[], fresh: readonly string[], effort: Effort): Stay[] {
  const numbers = new Map<string, number>();
  const rowOf = (texts: readonly string[]) =>
    texts.map((text) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    });
  const rows = [rowOf(old), rowOf(fresh)] as const;
  return searched(...rows, wholeLimit, effort) ?? joined(partly(...rows, cuts, effort));
}

function joined(stays: readonly Stay[]): Stay[] {
  const all: Stay[] = [];
  for (const stay of stays) {
    const last = all.at(-1);
    const isNext =
      last?.old === stay.old - (last?.count ?? 0) && last.fresh === stay.fresh - last.count;
    if (last !== undefined && isNext)
      all[all.length - 1] = { ...last, count: last.count + stay.count };
    else all.push(stay);
  }
  return all;
}

/** Null where more words went and came than `limit`. */
function searched(old: Row, fresh: Row, limit: number, effort: Effort): Stay[] | null {
  const maxEditLength = Math.min(limit, Math.floor(Math.sqrt(effort.left)));
  const changes = diffArrays([...old], [...fresh], { maxEditLength });
  const stays: Stay[] = [];
  let [oldPlace, freshPlace, changed] = [0, 0, 0];
  for (const { added, removed, count } of changes ?? []) {
    if (added || removed) changed += count;
    else stays.push({ old: oldPlace, fresh: freshPlace, count });
    if (!added) oldPlace += count;
    if (!removed) freshPlace += count;
  }
  const tried = changes ? changed : maxEditLength;
  effort.left = Math.max(0, effort.left - tried ** 2 - ofEachSearch);
  return changes ? stays : null;
}

/** Beginning and end that are the same, and what stayed in each part between words that stand once in either. */
function partly(old: Row, fresh: Row, sizes: readonly number[], effort: Effort): Stay[] {
  const start = sharedStart(old, fresh);
  const [oldRest, freshRest] = [old.slice(start), fresh.slice(start)];
  const end = sharedStart(oldRest.toReversed(), freshRest.toReversed());
  const inner = between(
    oldRest.slice(0, oldRest.length - end),
    freshRest.slice(0, freshRest.length - end),
    sizes,
    effort,
  );
  return [
    { old: 0, fresh: 0, count: start },
    ...inner.map((stay) => shifted(stay, start, start)),
    { old: old.length - end, fresh: fresh.length - end, count: end },
  ].filter(({ count }) => count > 0);
}

const shifted = ({ old, fresh, count }: Stay, by: number, freshBy: number): Stay => ({
  old: old + by,
  fresh: fresh + freshBy,
  count,
});

function sharedStart(old: Row, fresh: Row): number {
  const place = old.findIndex((word, index) => word !== fresh[index]);
  return place === -1 ? old.length : place;
}

function between(old: Row, fresh: Row, sizes: readonly number[], effort: Effort): Stay[] {
  if (old.length === 0 || fresh.length === 0) return [];
  const stays = searched(old, fresh, partLimit, effort);
  if (stays !== null) return stays;
  for (const [index, size] of sizes.entries()) {
    const anchors = anchorsOf(old, fresh, size);
    if (anchors.length > 0) return cutAt(anchors, old, fresh, sizes.slice(index + 1), effort);
  }
  return [];
}

function cutAt(
  anchors: readonly Stay[],
  old: Row,
  fresh: Row,
  sizes: readonly number[],
  effort: Effort,
): Stay[] {
  const all: Stay[] = [];
  let [oldPlace, freshPlace] = [0, 0];
  for (const anchor of [...anchors, { old: old.length, fresh: fresh.length, count: 0 }]) {
    const parts = [old.slice(oldPlace, anchor.old), fresh.slice(freshPlace, anchor.fresh)] as const;
    for (const stay of partly(...parts, sizes, effort))
      all.push(shifted(stay, oldPlace, freshPlace));
    all.push(anchor);
    [oldPlace, freshPlace] = [anchor.old + anchor.count, anchor.fresh + anchor.count];
  }
  return all;
}

/** The first words of rows of `size` that either has once: as many as stand in one order. */
function anchorsOf(old: Row, fresh: Row, size: number): Stay[] {
  const places = onceIn(fresh, size);
  const shared = [...onceIn(old, size)].flatMap(([row, place]): Stay[] => {
    const there = places.get(row);
    return there === undefined ? [] : [{ old: place, fresh: there, count: 1 }];
  });
  return longestRising(shared);
}

/** Where each row of `size` words begins that there is once. */
function onceIn(words: Row, size: number): Map<string, number> {
  const places = new Map<string, number>();
  const seen = new Set<string>();
  for (let place = 0; place + size <= words.length; place += 1) {
    const row = words.slice(place, place + size).join(' ');
    if (seen.has(row)) places.delete(row);
    else places.set(row, place);
    seen.add(row);
  }
  return places;
}

/** Of those in the order of the old text the most that are in the order of the new one too. Source: patience sorting. */
function longestRising(all: readonly Stay[]): Stay[] {
  interface Link {
    readonly stay: Stay;
    readonly before: Link | undefined;
  }
  const piles: Link[] = [];
  for (const stay of all) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.stay.fresh ?? 0) < stay.fresh) low = middle + 1;
      else high = middle;
    }
    piles[low] = { stay, before: piles[low - 1] };
  }
  const rising: Stay[] = [];
  for (let link = piles.at(-1); link !== undefined; link = link.before) rising.push(link.stay);
  return rising.toReversed();
}
