/** Legal pages: terms, privacy and their kin, served by the frontend at `/{slug}`. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Many, One, Slug, Strict, Time } from './wire.ts';

export const LegalPageSummary = Type.Object({
  slug: Slug,
  title: Type.String(),
  summary: Type.String(),
  version: Type.String(),
  effective_on: Type.String({ format: 'date' }),
  updated_at: Time,
});
export type LegalPageSummary = Static<typeof LegalPageSummary>;

export const LegalPage = Type.Object({ ...LegalPageSummary.properties, body: Type.String() });
export type LegalPage = Static<typeof LegalPage>;

export const listLegalPages = endpoint({
  method: 'GET',
  path: '/api/legal-pages',
  scope: 'public',
  throttle: 'read',
  summary: 'The published legal pages, without their bodies.',
  status: 200,
  reply: Many(LegalPageSummary),
});

export const getLegalPage = endpoint({
  method: 'GET',
  path: '/api/legal-pages/slug/{slug}',
  scope: 'public',
  throttle: 'read',
  summary: 'One published legal page with its HTML body.',
  status: 200,
  params: Strict({ slug: Slug }),
  reply: One(LegalPage),
});

/**
 * First path segments that belong to the frontend or the API. A legal page
 * may not take one of them: it would never be seen, or would hide a page.
 */
export const reservedSlugs = [
  'account',
  'admin',
  'alerts',
  'api',
  'blog',
  'contact',
  'dev',
  'exchanges',
  'feature-report',
  'feed',
  'forgot-password',
  'health',
  'media',
  'metrics',
  'preview',
  'rates',
  'reset-password',
  'robots',
  'sanctum',
  'signin',
  'signout',
  'signup',
  'sitemap',
  'stateful',
  'status',
  'subscribe',
  'two-factor',
  'unsubscribe',
  'verify-email',
] as const;
