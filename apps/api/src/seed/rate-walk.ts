/**
 * Pure: a believable past for rates that have none. Each unit's value in dollars
 * walks backwards from today's by small steps, and a pair's rate is the quotient
 * of two of them, so all pairs tell the same story. Drawn by integers alone and
 * always the same, since a rate never passes through a JavaScript number.
 */
import { divideDown, formatDecimal, parseDecimal, type Decimal } from '@cambist/money/decimal';

export interface Unit {
  /** Dollars for one unit, now. */
  readonly value: string;
  /** The largest step of an hour, in millionths. */
  readonly unrest: bigint;
}

const MILLION = 1_000_000n;
const SCALE = 18;

/** The value now and at each of the hours before, the newest first. */
export function walk({ value, unrest }: Unit, seed: bigint, hours: number): Decimal[] {
  const now = parseDecimal(value);
  let units = now.units * 10n ** BigInt(SCALE - now.scale);
  const values = [{ units, scale: SCALE }];
  const draw = drawer(seed);
  for (let hour = 1; hour <= hours; hour += 1) {
    const step = (draw() % (2n * unrest + 1n)) - unrest;
    units -= (units * step) / MILLION;
    values.push({ units, scale: SCALE });
  }
  return values;
}

/** What one unit of `send` is worth in `receive`, with `digits` decimals. */
export function rateBetween(send: Decimal, receive: Decimal, digits: number): string {
  return formatDecimal(divideDown(send, receive, digits));
}

/** Knuth's linear congruential generator (MMIX); its upper half is even enough for a demo. */
function drawer(seed: bigint): () => bigint {
  let state = seed;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
    return state >> 32n;
  };
}
