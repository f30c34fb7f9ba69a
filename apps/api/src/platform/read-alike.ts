/**
 * Whether a reader sees two texts alike, told from memory where it was told before: a pair of long
 * texts takes a tenth of a second, lists ask for twenty with each reading, and all else waits meanwhile.
 */
import { createHash } from 'node:crypto';
import { setImmediate as others } from 'node:timers/promises';
import { isReadTheSame } from '@cambist/markup/readable';

/** Pairs of texts; those that nobody has asked for longest go first. */
const MOST = 1000;
const told = new Map<string, boolean>();

export async function isReadAlike(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const pair = createHash('sha256')
    .update(JSON.stringify([one, other]))
    .digest('base64');
  const isAlike = told.get(pair) ?? (await compared(one, other));
  told.delete(pair);
  told.set(pair, isAlike);
  const [oldest] = told.keys();
  if (told.size > MOST && oldest !== undefined) told.delete(oldest);
  return isAlike;
}

/** After whoever waits: a list of long texts must not keep the others until its end. */
async function compared(one: string, other: string): Promise<boolean> {
  await others();
  return isReadTheSame(one, other);
}
