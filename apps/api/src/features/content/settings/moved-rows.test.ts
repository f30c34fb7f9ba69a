import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonical } from '#kernel/canonical.ts';
import { inTheirOrder, placesBefore, type Row } from './moved-rows.ts';

type Places = (number | undefined)[];

/** The same numbers in each run of the tests. */
function figures() {
  let state = 18;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** As it is said: for each row the first that is free, rule by rule. */
function plainPlaces(old: readonly Row[], now: readonly Row[]): Places {
  const textsOf = (row: Row) => Object.entries(row).map(String);
  const isLike = (many: number) => (from: number, to: number) => {
    const [before, texts] = [textsOf(old[from] ?? {}), textsOf(now[to] ?? {})];
    const shared = texts.filter((text) => before.includes(text)).length;
    return shared > 0 && shared * many >= Math.max(before.length, texts.length);
  };
  const isWhole = (from: number, to: number) => canonical(old[from]) === canonical(now[to]);
  const isThere = (from: number, to: number) => from === to;
  const places: Places = now.map(() => undefined);
  for (const isSame of [isWhole, isLike(1), isLike(2), isThere])
    for (const to of now.keys())
      places[to] ??= [...old.keys()].find((from) => !places.includes(from) && isSame(from, to));
  return places;
}

/** Each run goes on from the first longest that ends below it; those that kept their place, where they are as many. */
function plainOrder(places: Places): ReadonlySet<number> {
  const longest = (runs: readonly number[][]) =>
    runs.reduce((best, run) => (run.length > best.length ? run : best), []);
  const runs: number[][] = [];
  for (const place of places)
    if (place !== undefined)
      runs.push([...longest(runs.filter((run) => (run.at(-1) ?? 0) < place)), place]);
  const run = longest(runs);
  const kept = places.filter((from, to) => from === to);
  return new Set(kept.length === run.length ? kept.map(Number) : run);
}

describe('the rows of a list', () => {
  const upTo = figures();
  const row = () => ({ a: `${upTo(3)}`, b: `${upTo(3)}`, c: `${upTo(3)}` });
  const rows = () => Array.from({ length: upTo(9) }, row);

  it('are known again as by asking each of each', () => {
    for (let round = 0; round < 500; round += 1) {
      const [old, now] = [rows(), rows()];
      assert.deepEqual(placesBefore(old, now), plainPlaces(old, now), JSON.stringify([old, now]));
    }
  });

  it('stayed where they kept their place, of two runs that are as long', () => {
    assert.deepEqual(inTheirOrder([2, 1, 0]), new Set([1]));
    assert.deepEqual(inTheirOrder([1, 0, 3, 2, 4]), new Set([1, 3, 4]));
    assert.deepEqual(inTheirOrder([1, 0, undefined]), new Set([1]));
    assert.deepEqual(inTheirOrder([]), new Set());
  });

  it('stayed else where the first longest run has them', () => {
    for (let round = 0; round < 500; round += 1) {
      const places: Places = [...Array(9).keys()]
        .map((place) => ({ place, by: upTo(1000) }))
        .toSorted((one, other) => one.by - other.by)
        .map(({ place }) => (upTo(5) === 0 ? undefined : place));
      assert.deepEqual(inTheirOrder(places), plainOrder(places), JSON.stringify(places));
    }
  });

  it('that were moved and have their old number have other rows before them than they had', () => {
    let found = 0;
    for (let round = 0; round < 500; round += 1) {
      const places: Places = [...Array(12).keys()]
        .map((place) => ({ place, by: place + upTo(8) }))
        .toSorted((one, other) => one.by - other.by)
        .map(({ place }) => (upTo(5) === 0 ? undefined : place))
        .slice(upTo(3));
      const still = inTheirOrder(places);
      for (const [to, from] of places.entries()) {
        if (from !== to || still.has(from)) continue;
        found += 1;
        assert.ok(places.slice(0, to).some((place) => place === undefined || place > to));
      }
    }
    assert.ok(found > 0);
  });

  it('of long lists are known again where they are the very same, and else by their place', () => {
    const old = Array.from({ length: 60 }, (_, at) => ({ name: `${at}`, kind: 'old' }));
    const kept = { name: 'kept', kind: 'new' };
    const now = [kept, ...old.map(({ name }) => ({ name, kind: 'new' }))];
    const places = placesBefore([...old, kept], now);
    assert.deepEqual(places, [60, ...Array.from({ length: 59 }, (_, at) => at + 1), undefined]);
  });
});
