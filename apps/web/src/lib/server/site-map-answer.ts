/** Sends a file of the site map; 404 where nothing is listed, and on a site that is not to be found. */
import { error, type RequestEvent } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';
import { siteMapFile, wholeSiteMap } from './listed-pages.ts';
import { textAnswer } from './text-answer.ts';

/** Without a number the whole, or its index. */
export async function siteMapAnswer(
  { locals, url, request }: Pick<RequestEvent, 'locals' | 'url' | 'request'>,
  number?: number,
): Promise<Response> {
  const { robots } = locals.wide;
  // Crawlers ask again later: what they know of the site stays as it is until then.
  if (robots === null) error(503);
  const { listed, noindex } = robots;
  const asked = { call: locals.call, origin: url.origin, listed: noindex ? [] : listed };
  const text = await (
    number === undefined ? wholeSiteMap(asked) : siteMapFile(asked, number)
  ).catch((fault: unknown) => {
    if (fault instanceof ApiError) error(503);
    throw fault;
  });
  if (text === null) error(404);
  return textAnswer(request, text, {
    'content-type': 'application/xml',
    'cache-control': 'public, no-cache',
  });
}
