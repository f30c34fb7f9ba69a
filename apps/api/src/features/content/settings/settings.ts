/**
 * Settings: one typed value for each slug, with defaults so that a fresh desk
 * works, read from memory until somebody changes them in any process. What
 * anyone may see of them is listed field by field in the contract.
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
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuseFields } from '#platform/invalid-fields.ts';
import { assertFits } from '#platform/value-check.ts';
import { withWrittenAddresses } from './addresses.ts';
import { noteSecret, noteWriting } from './history.ts';
import { checkMeaning, doubtfulFaults, lineFaults } from './meaning.ts';
import { refuseMissingPages, withPresentPages } from './named-pages.ts';
import { inForce, overriddenBy } from './overrides.ts';
import { noteShownPictures, refuseMissingPicture } from './pictures.ts';
import { describeSecrets, writeSecret, type SecretChange } from './secrets.ts';
import * as store from './store.ts';
import { withDefaults, withoutHalves } from './stored.ts';
import { toldChanges } from './told-changes.ts';

export { settingDefaults } from './defaults.ts';
export { pathsLedTo } from './named-pages.ts';
export { describeSecrets, findSealed, readSecret, writeSecret } from './secrets.ts';
export { SealedOtherwise } from './secrets.ts';
export { demandsTwoFactor } from './two-factor-demand.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;
type WriteDeps = Pick<Deps, 'db' | 'published' | 'clock' | 'config'>;

/** The name under which answers and values made of one slug's settings are kept. */
export function settingsName(slug: SettingSlug): string {
  return `settings ${slug}`;
}

/** The name of answers that are made of several slugs' settings. */
export const allSettings = 'settings';

/** The settings of one slug as they are now. Shared by all callers: don't change them. */
export function read<S extends SettingSlug>(
  { db, published }: ReadDeps,
  slug: S,
): Promise<SettingValue<S>> {
  return published.kept(settingsName(slug), async () => {
    const row = await store.findSettings(db, slug);
    return withoutHalves(slug, withDefaults(slug, row?.value));
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

/** One whole group for its editor. Version 0 was never written. @throws {Refusal} 404 */
export async function getEntry(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  slug: string,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  return entryOf({ db, config }, known, await store.findSettings(db, known));
}

/** @throws {Refusal} 422 by field. */
export function check(slug: SettingSlug, value: Record<string, unknown>): void {
  try {
    assertFits(settingSchemas[slug], value);
  } catch (error) {
    throw error instanceof Refusal ? withLineFaults(error, slug, value) : error;
  }
  checkMeaning(slug, value);
}

/** All that is wrong is named at once; of a line that the schema refuses it has said enough. */
function withLineFaults(
  { detail: { errors = {} } }: Refusal,
  slug: SettingSlug,
  value: Record<string, unknown>,
): Refusal {
  const doubtful = doubtfulFaults(value);
  const others = Object.entries({ ...lineFaults(slug, value), ...doubtful }).filter(
    ([field]) => !(field in errors) || Object.hasOwn(doubtful, field),
  );
  const found = Object.entries(errors)
    .filter(([field]) => !Object.hasOwn(doubtful, field))
    .flatMap(([field, messages]) => messages.map((message) => [field, message] as const));
  return refuseFields([...found, ...others]);
}

export interface Change {
  /** The present one; 0 where none was written. */
  readonly version: number;
  readonly value: Record<string, unknown>;
  /** The older version whose value it is. */
  readonly restored?: number | null;
  /** From the list, and neither by undo nor by redo. */
  readonly chosen?: boolean;
}

/**
 * Replaces one group of settings.
 * @throws {Refusal} 404 for an unknown slug, 422 by field, 409 when the version
 *   is not the one that `version` names.
 */
export async function write(
  { db, published, clock, config }: WriteDeps,
  actor: Actor | 'system',
  origin: Origin | null,
  slug: string,
  { version, value: given, restored = null, chosen = false }: Change,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  // An older version may hold half points: they come back as they were, for their editor alone.
  const checked = (value: Record<string, unknown>) =>
    check(known, restored === null ? value : withoutHalves(known, value));
  checked(given);
  const written = withWrittenAddresses(given);
  // Encoded, an address is longer than it was typed.
  checked(written);
  return transaction(db, async (tx) => {
    const before = await store.findSettings(tx, known);
    const old = await shownValue(tx, known, before);
    const value = await withPresentPages(tx, known, written);
    await refuseMissingPages(tx, known, old, value);
    if (known === 'seo') await refuseMissingPicture(tx, old, value);
    const updated_by = actor === 'system' ? null : actor.id;
    const at = clock();
    const change = { value, updated_by, updated_at: at };
    const row =
      version === 0
        ? await store.insertSettings(tx, { slug: known, ...change })
        : await store.updateSettings(tx, known, version, change);
    if (!row) throw versionConflict();
    await noteWriting(tx, actor, at, {
      slug: known,
      version: row.version,
      restored,
      chosen,
      before: old,
      value,
    });
    await noteShownPictures(tx, known, { before: old, value });
    if (known === 'mail' && old['host'] !== value['host']) {
      await forgetPassword(tx, actor, at);
    }
    await published.changed(tx, settingsName(known), allSettings);
    await record(tx, {
      actor,
      origin,
      action: 'settings.written',
      subject_kind: 'settings',
      subject_id: known,
      data: {
        version: row.version,
        ...(restored !== null && { restored }),
        ...toldChanges(known, old, value),
      },
    });
    return entryOf({ db: tx, config }, known, row);
  });
}

/**
 * Keeps one of the secrets that the contract names for this slug; null removes it.
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
  // Whoever gives a password has seen which server it is for.
  if (known === 'mail' && plain !== null && version === undefined) {
    throw invalid({ version: 'The version field is required.' });
  }
  return transaction(deps.db, async (tx) => {
    const row = await store.lockSettings(tx, known);
    if (version !== undefined && version !== (row?.version ?? 0)) throw versionConflict();
    // Kept for none, it would be handed to whichever server somebody else names first.
    if (known === 'mail' && plain !== null && !row?.value['host']) {
      throw invalid({ secret: 'Name the mail server and save it first; then give its password.' });
    }
    await writeSecret(deps, tx, actor, origin, { slug: known, name, plain });
    // What was made with the old secret is made anew.
    await deps.published.changed(tx, settingsName(known));
    return entryOf({ db: tx, config: deps.config }, known, await store.findSettings(tx, known));
  });
}

/** Another server must not be handed the old one's password: whoever names it gives its own. */
async function forgetPassword(tx: Tx, actor: Actor | 'system', at: Date): Promise<void> {
  const wasKept = await store.deleteSecret(tx, 'mail', 'password');
  if (!wasKept) return;
  await noteSecret(tx, actor, at, { slug: 'mail', name: 'password', kind: 'secret_removed' });
}

async function secretsOf(db: Db | Tx, slug: SettingSlug): Promise<SettingsEntry['secrets']> {
  const kept = await describeSecrets(db, slug);
  return (settingSecrets[slug] ?? []).map((name) => {
    const note = kept.find((secret) => secret.name === name);
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

/** As its editor sees it: a page that has moved meanwhile by its present address. */
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
    updated_by: row?.updated_by ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
    schema: { ...settingSchemas[slug] },
    overridden_by: overriddenBy(config, slug),
    in_force: inForce(config, slug),
    secrets: await secretsOf(db, slug),
  };
}
