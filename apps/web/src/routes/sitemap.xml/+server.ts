import { error } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';
import { siteMap } from '#lib/server/site-map/listed-pages.ts';
import { textAnswer } from '#lib/server/text-answer.ts';
import type { RequestHandler } from './$types.js';

export const GET: RequestHandler = async ({ locals, url, request }) => {
  const { robots } = locals.wide;
  // Crawlers retry later and keep what they know until then.
  if (robots === null) error(503);
  const listed = robots.noindex ? [] : robots.listed;
  const asked = { call: locals.call, origin: url.origin, listed };
  const text = await siteMap(asked).catch((fault: unknown) => {
    if (fault instanceof ApiError) error(503);
    throw fault;
  });
  if (text === null) error(404);
  return textAnswer(request, text, {
    'content-type': 'application/xml',
    'cache-control': 'public, no-cache',
  });
};
