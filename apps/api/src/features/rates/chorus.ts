/** Pure: where most of a witness's figures in terms of one base say one thing about that base. */
import { exactCross, findPath } from '#features/market/market.ts';
import { differ, fractionFor, says } from './comparison.ts';
import { farOf } from './far.ts';
import type { Accepted, Desk } from './judges-desk.ts';
import type { Heard } from './law.ts';
import { isOverJump } from './over-jump.ts';
import type { GivenRate } from './provider.ts';

/** Enough figures that a majority of them says something about their base. */
const CHORUS = 3;

export interface Chorus {
  readonly compared: number;
  /** Those that contradict what this run accepted. */
  readonly off: readonly GivenRate[];
  /** The rate of the base that they were compared over; null where the base is everybody's. */
  readonly bridge: Accepted | null;
  /** What the witness says of that bridge itself. */
  readonly own: GivenRate | null;
  /** Their units came from the witness too, in terms of the other base: nobody knows which of both is wrong. */
  readonly isOwnUnits: boolean;
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
  const all = sound.flatMap((given) => (given.base === base ? compare(desk, given) : []));
  // Not what waits and is repeated: what agreed then is repeated only where it was believed.
  const compared = all.filter(({ given }) => given.heardAt === undefined);
  const off = compared.filter(({ isOff }) => isOff);
  if (compared.length < CHORUS || off.length * 2 <= compared.length) return null;
  const found = {
    compared: compared.length,
    off: off.map(({ given }) => given),
    bridge: null,
    own: null,
    isOwnUnits: false,
  };
  const between = betweenOwn(heard, off);
  if (between !== null)
    return isSeconded(desk, heard, between)
      ? null
      : { ...found, bridge: between, isOwnUnits: true };
  const against = desk.accepted.get(base);
  if (against !== undefined) {
    const own = all.find(({ given }) => given.unit === against.base);
    // What was compared without the rate of the base says nothing of it.
    const over = off.filter(({ way }) => way.includes(against));
    if (own?.isOff === false || over.length * 2 <= off.length) return null;
    return { ...found, bridge: against, own: own?.given ?? null };
  }
  // Below the limit, and with the same base as the others: each unit is doubted by itself.
  const jumped = off.filter(({ given }) => farOf(desk.law, [], given) !== null);
  return jumped.length * 2 > compared.length ? found : null;
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

/** The one rate of another provider that stands between both figures of the witness, of each unit. */
function betweenOwn({ provider }: Heard, off: readonly Compared[]): Accepted | null {
  const bridges = off.map(({ way }) => {
    const others = way.filter((rate) => rate.provider !== provider);
    return way.length === 2 && others.length === 1 ? others[0] : undefined;
  });
  const [first] = bridges;
  return first !== undefined && bridges.every((each) => each === first) ? first : null;
}

/** Whether a third provider says the same of it, or an admin has said yes to it lately. */
function isSeconded({ heard, law }: Desk, witness: Heard, bridge: Accepted): boolean {
  const { provider } = bridge;
  const isThird = (each: Heard) => each.provider !== witness.provider && each.provider !== provider;
  const yes = law.outvoted.flatMap(({ accepted, ...word }) =>
    accepted !== undefined && word.provider === provider ? [{ ...word, rate: accepted }] : [],
  );
  return says(yes, bridge) || heard.some((each) => isThird(each) && says(each.rates, bridge));
}
