/** One part of a site map that is too large for one file. */
import { error } from '@sveltejs/kit';
import { siteMapAnswer } from '#lib/server/site-map/site-map-answer.ts';
import type { RequestHandler } from './$types.js';

export const GET: RequestHandler = (event) => {
  const { number } = event.params;
  if (!/^[1-9]\d{0,4}$/.test(number)) error(404);
  return siteMapAnswer(event, Number.parseInt(number, 10));
};
