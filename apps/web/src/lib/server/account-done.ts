/**
 * What a form without script has done, told once by the account page that it leads back to. A
 * cookie of this service's carries it: an address would let anybody make the page say it.
 */
import type { RequestEvent } from '@sveltejs/kit';
import { knownPart, type FormPart } from '../account/answered.ts';

const NAME = 'account-done';
const PATH = '/account';
/** Where the page tells it. Without it the browser would go to where the form stood. */
const PLACE = '#done';
/** The page follows at once. */
const MAX_AGE_SECONDS = 60;

type Asked = Pick<RequestEvent, 'cookies' | 'url'>;

/** Answers the path of the page that tells it. */
export function tellDone(part: FormPart, { cookies, url }: Asked): string {
  cookies.set(NAME, part, {
    path: PATH,
    maxAge: MAX_AGE_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
    secure: url.protocol === 'https:',
  });
  return `${PATH}${PLACE}`;
}

/** Null when nothing was done; the next time it is. */
export function takeDone({ cookies, url }: Asked): FormPart | null {
  const done = knownPart(cookies.get(NAME));
  if (done !== null) cookies.delete(NAME, { path: PATH, secure: url.protocol === 'https:' });
  return done;
}
