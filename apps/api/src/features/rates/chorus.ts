/** Pure: where most of a witness's figures in terms of one base say one thing about that base. */
import { exactCross, findPath } from '#features/market/market.ts';
import { differ, fractionFor } from './comparison.ts';
import { farOf } from './far.ts';
import type { Accepted, Desk } from './judges-desk.ts';
import type { Heard } from './law.ts';
import { isOverJump } from './over-jump.ts';
import type { GivenRate } from './provider.ts';

/** Enough figures that a majority of them says something about their base. */
const CHORUS = 3;

export interface Chorus {
  /** How many figures contradict what this run accepted, and of how many. */
  readonly off: number;
  readonly compared: number;
  /** Another provider's rate that all of them were compared over; null where the base is everybody's. */
  readonly bridge: Accepted | null;
  /** What the witness says of that bridge itself. */
  readonly own: GivenRate | null;
}

interface Compared {
  readonly given: GivenRate;
  readonly isOff: boolean;
  readonly way: readonly Accepted[];
}

/** Null where each figure speaks of its own unit: also where the witness agrees about the bridge. */
export function chorusOf(
  desk: Desk,
  heard: Heard,
  base: string,
  sound: readonly GivenRate[],
): Chorus | null {
  const compared = sound.flatMap((given) => (given.base === base ? compare(desk, given) : []));
  const off = compared.filter(({ isOff }) => isOff);
  if (compared.length < CHORUS || off.length * 2 <= compared.length) return null;
  const found = { off: off.length, compared: compared.length };
  const bridges = sharedBy(off).filter(({ provider }) => provider !== heard.provider);
  if (bridges.length === 0) {
    // Below the limit, and with the same base as the others: each unit is doubted by itself.
    const jumped = off.filter(({ given }) => farOf(desk.law, [], given) !== null);
    return jumped.length * 2 > compared.length ? { ...found, bridge: null, own: null } : null;
  }
  for (const bridge of bridges) {
    const own = compared.find(({ way }) => way.length === 1 && way[0] === bridge);
    if (own === undefined) return { ...found, bridge, own: null };
    if (own.isOff) return { ...found, bridge, own: own.given };
  }
  return null;
}

function compare(desk: Desk, given: GivenRate): Compared[] {
  const { unit, base } = given;
  const known = exactCross(desk.market, base, unit);
  if (known === null || isOverJump(desk, desk.market, base, unit)) return [];
  const way = (findPath(desk.market, base, unit) ?? []).flatMap(
    ({ rate }) => desk.accepted.get(rate.unit) ?? [],
  );
  return [{ given, isOff: differ(known, fractionFor(given)), way }];
}

/** The believed rates that all of them lead over, from the base on. */
function sharedBy(off: readonly Compared[]): readonly Accepted[] {
  const [first, ...others] = off.map(({ way }) => way);
  return (first ?? []).filter((rate) => others.every((way) => way.includes(rate)));
}
