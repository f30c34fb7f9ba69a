/**
 * Reads settings: one typed value for each slug, with defaults so that a new desk works, cached until
 * any process changes them. The contract lists field by field what is public.
 */
import {
  publicParts,
  settingSchemas,
  type PublicSetting,
  type SettingSlug,
  type SettingValue,
} from '@cambist/contract/settings';
import { parseDecimal, roundDown } from '@cambist/money/decimal';
import { notFound, Refusal } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { settingDefaults } from './defaults.ts';
import * as store from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;

/** The cache name of answers and values made of one slug's settings. */
export function settingsName(slug: SettingSlug): string {
  return `settings ${slug}`;
}

/** The cache name of answers made of several slugs' settings. */
export const allSettings = 'settings';

/** The settings of one slug as they are now. Shared by all callers: don't change them. */
export function read<S extends SettingSlug>(
  { db, published }: ReadDeps,
  slug: S,
): Promise<SettingValue<S>> {
  return published.cached(settingsName(slug), async () => {
    const row = await store.findSettings(db, slug);
    return withDefaults(slug, row?.value);
  });
}

/** A currency's amount of a setting in minor units, further decimals cut off; null where it has none. */
export function amountFor(
  amounts: SettingValue<'desk'>['low_reserve'],
  { slug, decimals }: { readonly slug: string; readonly decimals: number },
): bigint | null {
  const entry = amounts.find(({ currency }) => currency === slug);
  return entry === undefined ? null : roundDown(parseDecimal(entry.amount), decimals).units;
}

/** What anyone may read of one slug's settings. */
export async function readPublic<S extends SettingSlug>(
  deps: ReadDeps,
  slug: S,
): Promise<PublicSetting<S>> {
  return publicOf(slug, await read(deps, slug));
}

/** What anyone may read of all settings, by slug. */
export async function readSite(deps: ReadDeps): Promise<Record<string, Record<string, unknown>>> {
  const slugs = Object.keys(publicParts)
    .map(knownSlug)
    .filter((slug) => publicParts[slug].length > 0);
  return Object.fromEntries(
    await Promise.all(slugs.map(async (slug) => [slug, await readPublic(deps, slug)] as const)),
  );
}

export function publicOf<S extends SettingSlug>(
  slug: S,
  value: Readonly<Record<string, unknown>>,
): PublicSetting<S> {
  return Object.fromEntries(
    publicParts[slug].map((part) => [part, value[part]]),
  ) as PublicSetting<S>;
}

/**
 * A closed site takes nothing new of its visitors: no account, no exchange, no message, no report, no address.
 * @throws {Refusal} 503 `site_closed`
 */
export async function refuseWhileClosed(deps: ReadDeps): Promise<void> {
  const { maintenance } = await read(deps, 'general');
  if (!maintenance.enabled) return;
  const retryAfterSeconds = maintenance.retry_minutes * 60;
  throw new Refusal(503, 'site_closed', 'The site is closed for maintenance.', {
    retryAfterSeconds,
  });
}

/** @throws {Refusal} 404 for a slug that does not exist. */
export function knownSlug(slug: string): SettingSlug {
  if (!Object.hasOwn(settingSchemas, slug)) throw notFound();
  return slug as SettingSlug;
}

/** A field that came with a later version of the schema is missing from older rows. */
export function withDefaults<S extends SettingSlug>(
  slug: S,
  value: Record<string, unknown> | undefined,
): SettingValue<S> {
  return filled(settingDefaults[slug], value ?? {}) as SettingValue<S>;
}

/** Of groups inside groups too; lists are whole as they are. */
function filled(defaults: object, value: Record<string, unknown>): Record<string, unknown> {
  const groups = Object.entries(defaults).flatMap(([key, inner]) => {
    const own = value[key];
    return isGroup(inner) && isGroup(own) ? [[key, filled(inner, own)] as const] : [];
  });
  return { ...defaults, ...value, ...Object.fromEntries(groups) };
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
