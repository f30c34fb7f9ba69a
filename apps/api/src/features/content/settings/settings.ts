/**
 * Settings: one typed value for each slug, with defaults so that a new desk works, cached until any
 * process changes them. The contract lists field by field what is public.
 */
import {
  publicParts,
  settingSchemas,
  settingSecrets,
  type PublicSetting,
  type SettingsEntry,
  type SettingSlug,
  type SettingValue,
} from '@cambist/contract/settings';
import { RateKey } from '@cambist/contract/rate-settings';
import { Value } from 'typebox/value';
import type { Actor, Origin } from '#kernel/actor.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import {
  getRevision,
  noteRevision,
  requireVersion,
  savedNow,
  type Author,
  type Subject,
} from '#features/content/drafts.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { withWrittenAddresses } from './addresses.ts';
import { check } from './meaning.ts';
import { refuseMissingPages, withPresentPages } from './named-pages.ts';
import { overriddenBy } from './overrides.ts';
import { refuseMissingPicture } from './pictures.ts';
import { describeSecrets, writeSecret, type SecretChange } from './secrets.ts';
import * as store from './store.ts';
import { auditedChanges } from './audited-changes.ts';
import { withDefaults } from './stored.ts';

export { settingDefaults } from './defaults.ts';
export { pathsLedTo } from './named-pages.ts';
export { describeSecrets, findSealed, readSecret, writeSecret } from './secrets.ts';
export { SealedOtherwise } from './secrets.ts';
export { demandsTwoFactor } from './two-factor-demand.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;
type WriteDeps = Pick<Deps, 'db' | 'published' | 'clock' | 'config'>;

export const subjectOf = (slug: SettingSlug): Subject => ({ kind: 'settings', id: slug });

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

/** One whole group for its editor. Version 0 was never saved. @throws {Refusal} 404 */
export async function getEntry(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  slug: string,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  return entryOf({ db, config }, known, await store.findSettings(db, known));
}

export interface Change {
  /** The present one; 0 where none was saved. */
  readonly version: number;
  readonly value: Record<string, unknown>;
  /** The number of the revision that is restored. */
  readonly restored?: number;
}

/**
 * Replaces one group of settings.
 * @throws {Refusal} 404 for an unknown slug, 422 by field, 409 `version_conflict`
 */
export async function write(
  deps: WriteDeps,
  actor: Author,
  origin: Origin | null,
  slug: string,
  { version, value: given, restored }: Change,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  check(known, given);
  const written = withWrittenAddresses(given);
  // Encoded, an address is longer than it was typed.
  check(known, written);
  return transaction(deps.db, async (tx) => {
    const before = await store.lockSettings(tx, known);
    if (before) requireVersion(before, version);
    else if (version !== 0) throw versionConflict();
    const old = await shownValue(tx, known, before);
    const value = await withPresentPages(tx, known, written);
    await refuseMissingPages(tx, known, old, value);
    if (known === 'seo') await refuseMissingPicture(tx, old, value);
    const change = { value, version: version + 1, ...savedNow(deps, actor) };
    const row = before
      ? await store.updateSettings(tx, known, change)
      : await store.insertSettings(tx, { slug: known, ...change });
    if (!row) throw versionConflict();
    const revision = { content: value, separate: true };
    // The defaults of a new desk can be restored too.
    const first = { content: old, reason: 'saved' } as const;
    if (!before) await noteRevision(deps, tx, 'system', subjectOf(known), first);
    const reason = restored === undefined ? 'saved' : 'restored';
    await noteRevision(deps, tx, actor, subjectOf(known), { ...revision, reason });
    if (known === 'mail' && old['host'] !== value['host']) {
      // Another server must not be given the old one's password.
      await store.deleteSecret(tx, 'mail', 'password');
    }
    await deps.published.changed(tx, settingsName(known), allSettings);
    const changes = auditedChanges(known, old, value);
    await recordSettings(tx, { actor, origin }, known, {
      version: row.version,
      restored,
      ...changes,
    });
    return entryOf({ db: tx, config: deps.config }, known, row);
  });
}

async function recordSettings(
  tx: Tx,
  by: { readonly actor: Author; readonly origin: Origin | null },
  slug: SettingSlug,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await record(tx, {
    ...by,
    action: 'settings.written',
    subject_kind: 'settings',
    subject_id: slug,
    data,
  });
}

/**
 * The value of a revision as today's schema has it: new fields have their defaults, removed fields
 * are left out. @throws {Refusal} 404
 */
export async function valueOfRevision(
  { db }: Pick<Deps, 'db'>,
  slug: SettingSlug,
  number: number,
): Promise<Record<string, unknown>> {
  const { content } = await getRevision<Record<string, unknown>>(db, subjectOf(slug), number);
  const value = withDefaults(slug, content);
  return Object(Value.Clean(settingSchemas[slug], structuredClone(value)));
}

/**
 * Stores one of the secrets that the contract names for this slug; null removes it.
 * @throws {Refusal} 404 for a slug or a name that does not exist, 422 for what can be no key and for
 *   a password of mail without `version` or before a server is named, 409 when that version is not
 *   the present one.
 */
export async function putSecret(
  deps: WriteDeps & Pick<Deps, 'keys'>,
  actor: Actor,
  origin: Origin,
  { slug, name, plain, version }: SecretChange & { readonly version?: number | undefined },
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  if (!settingSecrets[known]?.includes(name)) throw notFound();
  if (known === 'rate-api' && plain !== null && !Value.Check(RateKey, plain))
    throw invalid({ secret: 'A key has no spaces, and at most 256 characters.' });
  // The version proves which server the admin gives the password for.
  if (known === 'mail' && plain !== null && version === undefined) {
    throw invalid({ version: 'The version field is required.' });
  }
  return transaction(deps.db, async (tx) => {
    const row = await store.lockSettings(tx, known);
    if (version !== undefined && row) requireVersion(row, version);
    else if (version !== undefined && version !== 0) throw versionConflict();
    // Without a server it would be given to whichever server another admin names first.
    if (known === 'mail' && plain !== null && !row?.value['host']) {
      throw invalid({ secret: 'Name the mail server and save it first; then give its password.' });
    }
    await writeSecret(deps, tx, actor, origin, { slug: known, name, plain });
    // What was made with the old secret is made anew.
    await deps.published.changed(tx, settingsName(known));
    return entryOf({ db: tx, config: deps.config }, known, await store.findSettings(tx, known));
  });
}

async function secretsOf(db: Db | Tx, slug: SettingSlug): Promise<SettingsEntry['secrets']> {
  const stored = await describeSecrets(db, slug);
  return (settingSecrets[slug] ?? []).map((name) => {
    const note = stored.find((secret) => secret.name === name);
    return {
      name,
      set: note !== undefined,
      last_four: note?.last_four ?? '',
      updated_at: note?.updated_at ?? null,
    };
  });
}

/** @throws {Refusal} 404 for a slug that does not exist. */
export function knownSlug(slug: string): SettingSlug {
  if (!Object.hasOwn(settingSchemas, slug)) throw notFound();
  return slug as SettingSlug;
}

/** As its editor sees it: a page that has moved since by its present address. */
async function shownValue(
  db: Db | Tx,
  slug: SettingSlug,
  row: store.SettingsRow | undefined,
): Promise<Record<string, unknown>> {
  return withPresentPages(db, slug, withDefaults(slug, row?.value));
}

async function entryOf(
  { db, config }: { readonly db: Db | Tx; readonly config: Deps['config'] },
  slug: SettingSlug,
  row: store.SettingsRow | undefined,
): Promise<SettingsEntry> {
  return {
    slug,
    value: await shownValue(db, slug, row),
    version: row?.version ?? 0,
    saved_by: row?.saved_by_name ?? null,
    saved_at: row?.saved_at.toISOString() ?? null,
    schema: { ...settingSchemas[slug] },
    overridden_by: overriddenBy(config, slug),
    secrets: await secretsOf(db, slug),
  };
}
