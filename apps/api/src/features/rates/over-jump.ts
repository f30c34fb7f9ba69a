/** Pure: what a jump of the same run means for a figure that can only be compared over the rate in doubt. */
import { doubtsOf, exactCross, findPath, marketOf, type Market } from '#features/market/market.ts';
import { differ, fractionFor, isNearer, says } from './comparison.ts';
import type { Far } from './far.ts';
import type { Desk } from './judges-desk.ts';
import type { Heard, Jump } from './law.ts';
import type { GivenRate } from './provider.ts';

/** Whether the way between the two leads over a believed rate that a jump of this run puts in doubt. */
export function isOverJump(desk: Desk, market: Market, from: string, to: string): boolean {
  return jumpsBetween(desk, market, from, to).length > 0;
}

/** The jumps that put a believed rate between the two in doubt; others of the run say nothing here. */
function jumpsBetween(desk: Desk, market: Market, from: string, to: string): Jump[] {
  if (desk.jumps.size === 0) return [];
  const way = new Set((findPath(market, from, to) ?? []).map(({ rate }) => rate.unit));
  return doubts(desk, market).flatMap(({ unit, awaited }) =>
    way.has(unit) ? (desk.jumps.get(awaited) ?? []) : [],
  );
}

/** What is believed so far, as it would be were every jump of this run true. */
function asClaimed(desk: Desk): Market {
  const { law, jumps } = desk;
  const inDoubt = new Set(doubts(desk, law.market).map(({ unit }) => unit));
  const others = law.market.rates.filter(({ unit }) => !inDoubt.has(unit));
  const claims = [...jumps.values()].map((jump) => {
    return { ...jump, confirmedAt: law.now, freshUntil: law.now };
  });
  return marketOf([...others, ...claims], law.now);
}

/** The believed rates that the jumps of this run put in doubt, as if nothing else waited. */
const doubts = ({ jumps }: Desk, market: Market) =>
  doubtsOf({ ...market, waiting: [...jumps.values()] });

/**
 * Whether the way to it leads over a rate in doubt, and its last good one does not hang on the answer:
 * it moved as the jump says and nothing else did, or it comes from who does not know of all the jumps
 * on that way. Who does, and says that the unit stayed with the other side, is believed: then it waits
 * with the jump.
 */
export function waitsWithJump(
  desk: Desk,
  heard: Heard,
  given: GivenRate,
  far: Far | null,
): boolean {
  const { law } = desk;
  const { unit, base } = given;
  const between = jumpsBetween(desk, law.market, base, unit);
  if (between.length === 0) return false;
  const [claimed, known, value] = [
    exactCross(asClaimed(desk), base, unit),
    exactCross(law.market, base, unit),
    fractionFor(given),
  ];
  // After a small step it may be near both.
  if (claimed && known && !differ(claimed, value) && isNearer(value, claimed, known)) return true;
  const knowsOf = (jump: Jump) => heard.provider === jump.provider || says(heard.rates, jump);
  return far === null && !between.every(knowsOf);
}
