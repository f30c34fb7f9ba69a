/**
 * What of a text a form without script has saved and had no place, told once by the page that it
 * leads back to: as the form's own answer it would be sent again when that page is reloaded. A
 * cookie of this service's carries it: an address would let anybody make the page say it.
 */
import type { RequestEvent } from '@sveltejs/kit';

const NAME = 'left-out';
/** The page follows at once. */
const MAX_AGE_SECONDS = 60;
/** Browsers keep no larger cookie than 4096 bytes, with its name and what else is said of it. */
const MAX_BYTES = 3_500;

type Asked = Pick<RequestEvent, 'cookies' | 'url'>;

/** Answers `path`, the page that tells it. */
export function tellLeftOut(
  names: readonly string[],
  path: string,
  { cookies, url }: Asked,
): string {
  if (names.length === 0) return path;
  cookies.set(NAME, fitting(names).join('\n'), {
    path,
    maxAge: MAX_AGE_SECONDS,
    sameSite: 'lax',
    httpOnly: true,
    secure: url.protocol === 'https:',
  });
  return path;
}

/** Empty when nothing was left out; the next time it is. */
export function takeLeftOut({ cookies, url }: Asked): string[] {
  const told = cookies.get(NAME);
  if (told === undefined) return [];
  cookies.delete(NAME, { path: url.pathname, secure: url.protocol === 'https:' });
  return told.split('\n');
}

/** The first of them, as far as a cookie holds them in the signs that it is written in. */
function fitting(names: readonly string[]): string[] {
  let room = MAX_BYTES;
  return names.filter((name) => (room -= encodeURIComponent(`${name}\n`).length) >= 0);
}
