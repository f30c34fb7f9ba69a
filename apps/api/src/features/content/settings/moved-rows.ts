/** Which row of a list is which one of the list before, wherever it stands by now. Pure. */
import { canonical } from '#kernel/canonical.ts';

export type Row = Readonly<Record<string, unknown>>;
type Places = readonly (number | undefined)[];

/** Of how many rows it is asked which are like which: of more, what is not the very same is told by its place. */
const likened = 50;

/** Where each row stood: the same one, else one with all the same texts, or half of them, else the one in its place. */
export function placesBefore(old: readonly Row[], now: readonly Row[]): Places {
  const places: (number | undefined)[] = now.map(() => undefined);
  const free = new Set(old.keys());
  const take = (to: number, from: number | undefined) => {
    if (from === undefined || !free.delete(from)) return;
    places[to] = from;
  };
  const left = () => [...now.keys()].filter((to) => places[to] === undefined);

  const same = Map.groupBy(old.keys(), (from) => canonical(old[from]));
  for (const [to, row] of now.entries()) take(to, same.get(canonical(row))?.shift());
  if (Math.max(free.size, left().length) <= likened) {
    const was = new Map([...free].map((from) => [from, textsOf('', old[from])]));
    const is = new Map(left().map((to) => [to, textsOf('', now[to])]));
    for (const many of [1, 2])
      for (const to of left()) {
        const texts = is.get(to) ?? [];
        const found = [...free].find((from) => isLike(was.get(from) ?? [], texts, many));
        take(to, found);
      }
  }
  for (const to of left()) take(to, to);
  return places;
}

/** Of the texts in them, at least one in so many is the same. */
function isLike(before: readonly string[], texts: readonly string[], many: number): boolean {
  const shared = texts.filter((text) => before.includes(text)).length;
  return shared > 0 && shared * many >= Math.max(before.length, texts.length);
}

/**
 * As many as can be said to have stayed where they were, by their old places: the others were moved past them.
 * Of runs of one length those that kept their very place, so that two that changed places were both
 * moved; else the first one found, which each later one of that length ends below.
 */
export function inTheirOrder(places: Places): ReadonlySet<number> {
  const run = longestRun(places);
  const kept = places.filter((from, to): from is number => from === to);
  return new Set(kept.length < run.length ? run : kept);
}

function longestRun(places: Places): readonly number[] {
  const byLength: Run[][] = [];
  for (const place of places) {
    if (place === undefined) continue;
    const length = firstOf(byLength, (runs) => (runs.at(-1)?.place ?? 0) > place);
    const shorter = byLength[length - 1] ?? [];
    const before = shorter[firstOf(shorter, (run) => run.place < place)];
    (byLength[length] ??= []).push({ place, before });
  }
  const longest: number[] = [];
  for (let run = byLength.at(-1)?.[0]; run; run = run.before) longest.push(run.place);
  return longest;
}

interface Run {
  /** Where it ends. */
  readonly place: number;
  readonly before: Run | undefined;
}

/** Where the first stands that is such a one, as all after it are. */
function firstOf<T>(list: readonly T[], isSuch: (each: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSuch(list[middle] as T)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Each text in it with its name; where in an inner list it stands is no part of it. */
function textsOf(name: string, value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [`${name} ${value}`];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(name, each));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(key, part));
}
