/**
 * The address that a letter for a new password was asked for, which the page says once; a reload says only
 * that it was. A cookie carries it: a link would let anybody make the page say it, and keep the address in logs.
 */
import { keepNext, type Address } from './keep-next.ts';

const PATH = '/forgot-password';

export const resetAsked = {
  name: 'reset-asked',
  /** Script writes it as well, and may not write over what only the server may read. */
  options: { path: PATH, maxAge: 600, sameSite: 'lax', httpOnly: false },
} as const;

const SENT = 'sent';

/** Whether the page is the answer, of which the cookie tells the rest. */
export function isAnswer({ searchParams }: Pick<URL, 'searchParams'>): boolean {
  return searchParams.has(SENT);
}

/** Where the form leads; it still knows where the person was going. */
export function answerPath(from: Address): string {
  const path = keepNext(PATH, from);
  return `${path}${path === PATH ? '?' : '&'}${SENT}`;
}

/** The cookie as script writes it. Over https it never travels in the clear. */
export function resetAskedLine(email: string, protocol: string): string {
  const { path, maxAge, sameSite } = resetAsked.options;
  const line = `${resetAsked.name}=${encodeURIComponent(email)}; path=${path}; max-age=${maxAge}; samesite=${sameSite}`;
  return protocol === 'https:' ? `${line}; secure` : line;
}
