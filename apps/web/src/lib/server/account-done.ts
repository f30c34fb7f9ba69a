/**
 * The account form that succeeded without script, so that the page can confirm it once. It travels in a cookie: in
 * the query anyone could make the page show it.
 */
import type { RequestEvent } from '@sveltejs/kit';
import { knownPart, type FormPart } from '../account/answered.ts';

const NAME = 'account-done';
const PATH = '/account';
/** Without it the browser would scroll to the form's own anchor. */
const ANCHOR = '#done';
const MAX_AGE_SECONDS = 60;

type Asked = Pick<RequestEvent, 'cookies' | 'url'>;

/** Returns the path of the page that shows it. */
export function markDone(part: FormPart, { cookies, url }: Asked): string {
  cookies.set(NAME, part, {
    path: PATH,
    maxAge: MAX_AGE_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
    secure: url.protocol === 'https:',
  });
  return `${PATH}${ANCHOR}`;
}

/** Reads and clears it; null when there is none. */
export function takeDone({ cookies, url }: Asked): FormPart | null {
  const done = knownPart(cookies.get(NAME));
  if (done !== null) cookies.delete(NAME, { path: PATH, secure: url.protocol === 'https:' });
  return done;
}
