/** Sends a file of the site map; 404 when nothing is listed or the site must not be indexed. */
import { error, type RequestEvent } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';
import { siteMapFile, wholeSiteMap } from './listed-pages.ts';
import { textAnswer } from '#lib/server/text-answer.ts';

/** Without a number: the site map or its index. */
export async function siteMapAnswer(
  { locals, url, request }: Pick<RequestEvent, 'locals' | 'url' | 'request'>,
  number?: number,
): Promise<Response> {
  const { robots } = locals.wide;
  // Crawlers retry later and keep what they know until then.
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
