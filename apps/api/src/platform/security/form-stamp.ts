/**
 * The signed time that a public form carries: what comes back sooner than anybody
 * types was not typed. A stamp has no end, since a page may stay open for days, and
 * says nothing of who has it. A form without one is judged by its other signs.
 */
import { SECOND } from '#kernel/clock.ts';
import { sameText, type Keys } from './keys.ts';

const PURPOSE = 'form stamp';
const SIGNATURE_LENGTH = 22;

/** A name, an address and a sentence; and an address alone, which the browser may fill in. */
export const SHORTEST_MESSAGE_MS = 3 * SECOND;
export const SHORTEST_ADDRESS_MS = 2 * SECOND;

export function formStamp(keys: Keys, now: Date): string {
  const time = now.getTime().toString(36);
  return `${time}.${keys.sign(PURPOSE, time).slice(0, SIGNATURE_LENGTH)}`;
}

interface Signs {
  /** Of the field that nobody sees. */
  readonly website: string | undefined;
  readonly stamp: string | undefined;
}

/** Whether a machine filled a form in, by all appearances. A stamp that is not ours is such a sign. */
export function isSuspected(
  keys: Keys,
  { website, stamp }: Signs,
  { now, shortestMs }: { readonly now: Date; readonly shortestMs: number },
): boolean {
  if (website) return true;
  if (!stamp) return false;
  const [time = ''] = stamp.split('.');
  const at = Number.parseInt(time, 36);
  if (!Number.isSafeInteger(at) || !sameText(formStamp(keys, new Date(at)), stamp)) return true;
  return now.getTime() - at < shortestMs;
}
