/** From the settings; defaults when they are not available. */
import { robotsText } from '#lib/server/site-map/site-map.ts';
import { textAnswer } from '#lib/server/text-answer.ts';
import type { RequestHandler } from './$types.js';

const plain = { noindex: false, disallow: [], allow: [] };

export const GET: RequestHandler = ({ request, locals, url }) =>
  textAnswer(request, robotsText(url.origin, locals.wide.robots ?? plain), {
    'content-type': 'text/plain',
    'cache-control': 'public, no-cache',
  });
