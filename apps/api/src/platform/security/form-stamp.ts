/**
 * The signed time in a public form: a form that comes back faster than anyone types was filled by a machine.
 * A stamp does not expire, since a page may stay open for days, and identifies no visitor.
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
  /** A hidden field, which only machines fill. */
  readonly website: string | undefined;
  readonly stamp: string | undefined;
}

/** Whether a machine seems to have filled the form, such as with a forged stamp. */
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
