/** Legal pages: terms, privacy and their kin, served by the frontend at `/{slug}`. */
import { Type, type Static } from 'typebox';
import { endpoint, publicReads } from './endpoint.ts';
import { Day, maxInteger, nullable, One, Slug, Strict, Time } from './wire.ts';

/**
 * Where a version stands today. Days are days in UTC. `announced`: in force from a day to
 * come. `past`: it was in force, if only for hours. `replaced`: another took its place before it came into force.
 */
export const versionStates = ['in_force', 'announced', 'past', 'replaced'] as const;
export type VersionState = (typeof versionStates)[number];

const standing = {
  /** Counted from 1; a version never changes and its number is never given again. */
  version: Type.Integer(),
  state: Type.Enum(versionStates),
  effective_on: Day,
  /** The day on which another takes its place, its own where that was within hours; null where none is announced. */
  until: nullable(Day),
  /** What changed with it, in a sentence; '' for a first version. */
  change: Type.String(),
  published_at: Time,
};

export const LegalPageVersion = Type.Object(standing);
export type LegalPageVersion = Static<typeof LegalPageVersion>;

/** Of the version in force; of the first one announced where none is yet. */
export const LegalPageSummary = Type.Object({
  slug: Slug,
  title: Type.String(),
  summary: Type.String(),
  version: Type.Integer(),
  effective_on: Day,
  /** When what is shown last became another. */
  updated_at: Time,
});
export type LegalPageSummary = Static<typeof LegalPageSummary>;

export const ListedLegalPage = Type.Object({
  ...LegalPageSummary.properties,
  /** The addresses that it had before: they lead to it for good. */
  redirects: Type.Array(Slug),
});
export type ListedLegalPage = Static<typeof ListedLegalPage>;

export const LegalPages = Type.Object({
  data: Type.Array(ListedLegalPage),
  /** Present and former addresses of pages that were on the site and were taken off. */
  withdrawn: Type.Array(Slug),
});
export type LegalPages = Static<typeof LegalPages>;

export const LegalPage = Type.Object({
  ...LegalPageSummary.properties,
  ...standing,
  /** HTML; show it with the same allow-list. */
  body: Type.String(),
  /** All of the page's versions, the latest first. */
  versions: Type.Array(LegalPageVersion),
});
export type LegalPage = Static<typeof LegalPage>;

export const listLegalPages = endpoint({
  ...publicReads,
  path: '/api/legal-pages',
  summary: 'The published legal pages, without their bodies.',
  reply: LegalPages,
});

/** An address that the page had before answers it too: `data.slug` is where it is now. */
export const getLegalPage = endpoint({
  ...publicReads,
  path: '/api/legal-pages/slug/{slug}',
  summary: 'One published legal page with its HTML body; `version` asks for another one.',
  params: Strict({ slug: Slug }),
  query: Strict({
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: maxInteger })),
  }),
  reply: One(LegalPage),
});

/** The working copy, as it would be if it were published now. */
export const getLegalPagePreview = endpoint({
  ...publicReads,
  path: '/api/legal-page-previews/{token}',
  summary: 'The working copy of a legal page, for whoever was given its preview link.',
  params: Strict({ token: Type.String({ maxLength: 200 }) }),
  reply: One(LegalPage),
});

/**
 * First path segments that belong to the frontend or the API. A legal page
 * may not take one of them: it would never be seen, or would hide a page.
 * Names with a dot, as `robots.txt`, can be no slug at all.
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
  'feeds',
  'forgot-password',
  'health',
  'legal-preview',
  'maintenance',
  'media',
  'metrics',
  'preview',
  'rates',
  'reserve-alert',
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
