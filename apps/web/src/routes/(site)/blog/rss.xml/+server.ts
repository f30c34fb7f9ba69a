import { rss } from '../feed.ts';
import { feedAnswer } from '../feed-answer.ts';
import type { RequestHandler } from './$types.js';

export const GET: RequestHandler = (event) => feedAnswer(event, 'application/rss+xml', rss);
