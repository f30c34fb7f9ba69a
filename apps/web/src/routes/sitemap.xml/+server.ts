import { siteMapAnswer } from '#lib/server/site-map/site-map-answer.ts';
import type { RequestHandler } from './$types.js';

export const GET: RequestHandler = (event) => siteMapAnswer(event);
