/** What the forgot-password page remembers between its form, its answer and the sign-in page. */
import { keepNext, type Address } from './next-path.ts';

let typedEmail = '';

/** Hands the address typed on the sign-in page over in memory: in a link it would reach logs. */
export function passEmail(email: string): void {
  typedEmail = email;
}

/** Returns the address that was passed, once. */
export function takeEmail(): string {
  const email = typedEmail;
  typedEmail = '';
  return email;
}

const PATH = '/forgot-password';
const SENT = 'sent';

/**
 * The cookie with the address that was entered, so that the answer can show it once. In the query anyone could
 * make the page show an address, and it would stay in logs.
 */
export const resetEmailCookie = {
  name: 'reset-asked',
  /** Not httpOnly, since script writes it as well. */
  options: { path: PATH, maxAge: 600, sameSite: 'lax', httpOnly: false },
} as const;

/** Whether this address is the answer after the form was sent. */
export function isAnswer({ searchParams }: Pick<URL, 'searchParams'>): boolean {
  return searchParams.has(SENT);
}

/** The path of the answer, with the `next` of the form's page. */
export function answerPath(from: Address): string {
  const path = keepNext(PATH, from);
  return `${path}${path === PATH ? '?' : '&'}${SENT}`;
}

/** The cookie for `document.cookie`; secure over https. */
export function resetEmailCookieLine(email: string, protocol: string): string {
  const { path, maxAge, sameSite } = resetEmailCookie.options;
  const line = `${resetEmailCookie.name}=${encodeURIComponent(email)}; path=${path}; max-age=${maxAge}; samesite=${sameSite}`;
  return protocol === 'https:' ? `${line}; secure` : line;
}
