/** Writes settings: whole groups under their version, which can be restored, and secrets. */
import {
  settingSchemas,
  settingSecrets,
  type SettingsEntry,
  type SettingSlug,
} from '@cambist/contract/settings';
import { RateKey } from '@cambist/contract/rate-settings';
import { Value } from 'typebox/value';
import type { By, ByAnyone } from '#kernel/actor.ts';
import { canonical } from '#kernel/canonical.ts';
import { invalid, notFound, versionConflict } from '#kernel/refusal.ts';
import { differences, record } from '#features/audit/audit.ts';
import {
  getRevision,
  noteRevision,
  requireVersion,
  savedNow,
  type Subject,
} from '#features/content/drafts.ts';
import { isMissing } from '#features/content/media/media.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { check, withWrittenAddresses } from './meaning.ts';
import { refuseMissingPages, withPresentPages } from './named-pages.ts';
import { describeSecrets, writeSecret, type SecretChange } from './secrets.ts';
import { allSettings, knownSlug, settingsName, withDefaults } from './settings.ts';
import * as store from './store.ts';

type WriteDeps = Pick<Deps, 'db' | 'published' | 'clock' | 'config' | 'jobs'>;

/**
 * The job that emails the admins about a change of a group with which somebody could redirect emails
 * or let strangers in, enqueued in its transaction: the features of emails and admins stand below.
 */
export const SENSITIVE_SETTINGS = 'sensitive-settings';
const sensitive: ReadonlySet<SettingSlug> = new Set([
  'mail',
  'sign-in-providers',
  'security',
  'desk',
] as const);

export interface SensitiveChange {
  readonly slug: SettingSlug;
  readonly by: string;
  readonly changes: ReturnType<typeof differences>;
  /** Of a mail server that was another one: its settings and its sealed password. */
  readonly former: {
    readonly settings: Record<string, unknown>;
    readonly sealed: string | null;
  } | null;
}

async function enqueueSensitive(
  { jobs }: Pick<Deps, 'jobs'>,
  tx: Tx,
  { slug, by, changes, former }: SensitiveChange,
): Promise<void> {
  if (!sensitive.has(slug) || Object.keys(changes).length === 0) return;
  await jobs.enqueue(tx, SENSITIVE_SETTINGS, { slug, by, changes, former });
}

async function formerMail(
  { config }: Pick<Deps, 'config'>,
  tx: Tx,
  slug: SettingSlug,
  settings: Record<string, unknown>,
): Promise<SensitiveChange['former']> {
  if (slug !== 'mail' || config.mail.server !== null || !settings['host']) return null;
  const secret = await store.findSecret(tx, 'mail', 'password');
  return { settings, sealed: secret?.sealed.toString('base64') ?? null };
}

export const subjectOf = (slug: SettingSlug): Subject => ({ kind: 'settings', id: slug });

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
  by: ByAnyone,
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
    const { og_image: picture } = value;
    const isNew = typeof picture === 'string' && picture !== old['og_image'];
    if (isNew && (await isMissing(tx, picture)))
      throw invalid({ og_image: 'The library has no such picture.' });
    const change = { value, version: version + 1, ...savedNow(deps, by.actor) };
    const row = before
      ? await store.updateSettings(tx, known, change)
      : await store.insertSettings(tx, { slug: known, ...change });
    if (!row) throw versionConflict();
    // The defaults of a new desk can be restored too.
    const first = { content: old, reason: 'saved' } as const;
    if (!before) await noteRevision(deps, tx, 'system', subjectOf(known), first);
    const reason = restored === undefined ? 'saved' : 'restored';
    await noteRevision(deps, tx, by.actor, subjectOf(known), { content: value, reason });
    const former = await formerMail(deps, tx, known, old);
    if (known === 'mail' && old['host'] !== value['host']) {
      // Another server must not be given the old one's password.
      await store.deleteSecret(tx, 'mail', 'password');
    }
    await deps.published.changed(tx, settingsName(known), allSettings);
    await record(tx, {
      ...by,
      action: 'settings.written',
      subject_kind: 'settings',
      subject_id: known,
      data: { version: row.version, restored, ...auditedChanges(known, old, value) },
    });
    if (by.actor !== 'system') {
      const changes = differences(old, value, Object.keys(value));
      await enqueueSensitive(deps, tx, { slug: known, by: by.actor.name, changes, former });
    }
    return entryOf({ db: tx, config: deps.config }, known, row);
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
 *   a password of mail before a server is named
 */
export async function putSecret(
  deps: WriteDeps & Pick<Deps, 'keys'>,
  by: By,
  { slug, name, plain }: SecretChange,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  if (!settingSecrets[known]?.includes(name)) throw notFound();
  if (known === 'rate-api' && plain !== null && !Value.Check(RateKey, plain))
    throw invalid({ secret: 'A key has no spaces, and at most 256 characters.' });
  return transaction(deps.db, async (tx) => {
    const row = await store.lockSettings(tx, known);
    // Without a server it would be given to whichever server another admin names first.
    if (known === 'mail' && plain !== null && !row?.value['host']) {
      throw invalid({ secret: 'Name the mail server and save it first; then give its password.' });
    }
    const former = await formerMail(deps, tx, known, withDefaults(known, row?.value));
    await writeSecret(deps, tx, by, { slug: known, name, plain });
    const changes = { [name]: { before: 'hidden', after: plain === null ? null : 'another one' } };
    await enqueueSensitive(deps, tx, { slug: known, by: by.actor.name, changes, former });
    // What was made with the old secret is made anew.
    await deps.published.changed(tx, settingsName(known));
    return entryOf({ db: tx, config: deps.config }, known, row);
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

/** Groups that guard money and the desk. */
const withFigures: ReadonlySet<SettingSlug> = new Set(['rate-api', 'security', 'desk'] as const);

/** What the audit log records of a change: which parts, and of some groups both values. */
function auditedChanges(
  slug: SettingSlug,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
) {
  const changed = changedParts(before, after);
  const of = (value: Record<string, unknown>) =>
    Object.fromEntries(changed.map((part) => [part, value[part]]));
  return { changed, ...(withFigures.has(slug) && { from: of(before), to: of(after) }) };
}

function changedParts(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([part, value]) => canonical(old.get(part)) !== canonical(value))
    .map(([part]) => part);
}

/** The variables of the environment that take precedence over a group of settings. */
function overriddenBy(
  { mail, providers }: Pick<Deps['config'], 'mail' | 'providers'>,
  slug: SettingSlug,
): string[] {
  if (slug === 'mail') {
    return [
      ...(mail.server === null ? [] : ['MAIL_URL']),
      ...(mail.from === null ? [] : ['MAIL_FROM']),
    ];
  }
  if (slug === 'sign-in-providers') {
    return [
      ...(providers.google === null ? [] : ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']),
      ...(providers.facebook === null ? [] : ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET']),
    ];
  }
  return [];
}
