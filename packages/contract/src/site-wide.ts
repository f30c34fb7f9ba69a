/**
 * What holds for the whole site: the desk's own style sheet, what search engines
 * may find, and whether visitors are let in.
 */
import { Type, type Static } from 'typebox';
import { Strict } from './wire.ts';

/** Shown on every page but those of the console, of accounts and of signing in. */
export const CustomCss = Strict({
  /** Longer than a line, as the console writes it; its mistakes are warned of and not refused. */
  css: Type.String({ maxLength: 50_000 }),
});
export type CustomCss = Static<typeof CustomCss>;

/** What the site map may list. */
export const siteMapParts = [
  'home',
  'rates',
  'pairs',
  'blog',
  'posts',
  'tags',
  'legal_pages',
  'contact',
] as const;
export type SiteMapPart = (typeof siteMapParts)[number];

/** A path of robots.txt (RFC 9309, 2.2.2): `*` is anything, `$` the end; no line can follow it. */
const RobotsPath = Type.String({ maxLength: 200, pattern: '^/[!"$-~]*$' });
const robotsPaths = Type.Array(RobotsPath, { maxItems: 50 });

export const SitemapRobots = Strict({
  /** Keeps the whole site out of search engines. */
  noindex: Type.Boolean(),
  listed: Type.Array(Type.Enum(siteMapParts), { maxItems: siteMapParts.length, uniqueItems: true }),
  disallow: robotsPaths,
  allow: robotsPaths,
});
export type SitemapRobots = Static<typeof SitemapRobots>;

/** While it is on, visitors are answered 503 by the frontend, and by the API where they would leave something new; admins and the ways in get through. */
export const Maintenance = Strict({
  enabled: Type.Boolean(),
  message: Type.String({ maxLength: 300 }),
  /** When visitors and search engines are asked to come back. */
  retry_minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
});
export type Maintenance = Static<typeof Maintenance>;
