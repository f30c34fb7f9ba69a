/** Which row of a list is which one of the list before, wherever it stands by now. Pure. */
import { canonical } from '#kernel/canonical.ts';

export type Row = Readonly<Record<string, unknown>>;
type Places = readonly (number | undefined)[];

/** Where each row stood: the same one, else one with all the same texts, or half of them, else the one in its place. */
export function placesBefore(old: readonly Row[], now: readonly Row[]): Places {
  const [was, is] = [old.map(writtenOf), now.map(writtenOf)];
  const places: (number | undefined)[] = now.map(() => undefined);
  const free = new Set(old.keys());
  /** Of the texts in it, at least one in so many is the same. */
  const isLike = (many: number) => (from: number, to: number) => {
    const [before, texts] = [was[from]?.texts ?? [], is[to]?.texts ?? []];
    const shared = texts.filter((text) => before.includes(text)).length;
    return shared > 0 && shared * many >= Math.max(before.length, texts.length);
  };
  const rules = [
    (from: number, to: number) => was[from]?.whole === is[to]?.whole,
    isLike(1),
    isLike(2),
    (from: number, to: number) => from === to,
  ];
  for (const isSame of rules) {
    for (const to of now.keys()) {
      if (places[to] !== undefined) continue;
      const found = [...free].find((from) => isSame(from, to));
      if (found === undefined) continue;
      places[to] = found;
      free.delete(found);
    }
  }
  return places;
}

/** As many as can be said to have stayed where they were, by their old places: the others were moved past them. */
export function inTheirOrder(places: Places): ReadonlySet<number> {
  const runs: number[][] = [];
  for (const place of places) {
    if (place === undefined) continue;
    runs.push([...longest(runs.filter((run) => (run.at(-1) ?? 0) < place)), place]);
  }
  return new Set(longest(runs));
}

function longest(runs: readonly number[][]): number[] {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), []);
}

function writtenOf(row: Row): { whole: string; texts: string[] } {
  return { whole: canonical(row), texts: textsOf('', row) };
}

/** Each text in it with its name; where in an inner list it stands is no part of it. */
function textsOf(name: string, value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [`${name} ${value}`];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(name, each));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => textsOf(key, part));
}
