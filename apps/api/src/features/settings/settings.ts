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
import { canonical } from '#kernel/canonical.ts';
import { invalid, notFound, versionConflict } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { assertFits } from '#platform/value-check.ts';
import { settingDefaults } from './defaults.ts';
import { checkMeaning } from './meaning.ts';
import { overriddenBy } from './overrides.ts';
import { describeSecrets, writeSecret, type SecretChange } from './secrets.ts';
import * as store from './store.ts';

export { settingDefaults } from './defaults.ts';
export { describeSecrets, readSecret, SealedOtherwise, writeSecret } from './secrets.ts';
export { demandsTwoFactor } from './two-factor-demand.ts';

type ReadDeps = Pick<Deps, 'db' | 'published'>;
type WriteDeps = Pick<Deps, 'db' | 'published' | 'clock' | 'config'>;

/** The name under which answers and values made of one slug's settings are kept. */
export function settingsName(slug: SettingSlug): string {
  return `settings ${slug}`;
}

/** The settings of one slug as they are now. Shared by all callers: don't change them. */
export function read<S extends SettingSlug>(
  { db, published }: ReadDeps,
  slug: S,
): Promise<SettingValue<S>> {
  return published.kept(settingsName(slug), async () => {
    const row = await store.findSettings(db, slug);
    return withDefaults(slug, row?.value);
  });
}

/** What anyone may read of one slug's settings. */
export async function readPublic<S extends SettingSlug>(
  deps: ReadDeps,
  slug: S,
): Promise<PublicSetting<S>> {
  const value: Record<string, unknown> = await read(deps, slug);
  return Object.fromEntries(
    publicParts[slug].map((part) => [part, value[part]]),
  ) as PublicSetting<S>;
}

/** One whole group for its editor. Version 0 was never written. @throws {Refusal} 404 */
export async function getEntry(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  slug: string,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  return entryOf({ db, config }, known, await store.findSettings(db, known));
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
  { version, value }: { readonly version: number; readonly value: Record<string, unknown> },
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  assertFits(settingSchemas[known], value);
  checkMeaning(known, value);
  return transaction(db, async (tx) => {
    const before = await store.findSettings(tx, known);
    const updated_by = actor === 'system' ? null : actor.id;
    const change = { value, updated_by, updated_at: clock() };
    const row =
      version === 0
        ? await store.insertSettings(tx, { slug: known, ...change })
        : await store.updateSettings(tx, known, version, change);
    if (!row) throw versionConflict();
    if (known === 'mail') await forgetPassword(tx, before?.value, value);
    await published.changed(tx, settingsName(known));
    await record(tx, {
      actor,
      origin,
      action: 'settings.written',
      subject_kind: 'settings',
      subject_id: known,
      data: {
        version: row.version,
        changed: changedParts(withDefaults(known, before?.value), value),
        ...(toldWithFigures.has(known) &&
          changedFigures(withDefaults(known, before?.value), value)),
      },
    });
    return entryOf({ db: tx, config }, known, row);
  });
}

/**
 * Keeps one of the secrets that the contract names for this slug; null removes it.
 * @throws {Refusal} 404 for a slug or a name that does not exist, 422 for what can be no key.
 */
export async function putSecret(
  deps: WriteDeps & Pick<Deps, 'keys'>,
  actor: Actor,
  origin: Origin,
  { slug, name, plain }: SecretChange,
): Promise<SettingsEntry> {
  const known = knownSlug(slug);
  if (!settingSecrets[known]?.includes(name)) throw notFound();
  if (known === 'rate-api' && plain !== null && !Value.Check(RateKey, plain))
    throw invalid({ secret: 'A key has no spaces, and at most 256 characters.' });
  return transaction(deps.db, async (tx) => {
    await writeSecret(deps, tx, actor, origin, { slug: known, name, plain });
    // What was made with the old secret is made anew.
    await deps.published.changed(tx, settingsName(known));
    return entryOf({ db: tx, config: deps.config }, known, await store.findSettings(tx, known));
  });
}

/** Another server must not be handed the old one's password: whoever names it gives its own. */
async function forgetPassword(
  tx: Tx,
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown>,
): Promise<void> {
  if (before === undefined || before['host'] === after['host']) return;
  await store.deleteSecret(tx, 'mail', 'password');
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

/** A part that came with a later version of the schema is missing from older rows. */
function withDefaults<S extends SettingSlug>(
  slug: S,
  value: Record<string, unknown> | undefined,
): SettingValue<S> {
  return { ...settingDefaults[slug], ...value } as SettingValue<S>;
}

async function entryOf(
  { db, config }: { readonly db: Db | Tx; readonly config: Deps['config'] },
  slug: SettingSlug,
  row: store.SettingsRow | undefined,
): Promise<SettingsEntry> {
  return {
    slug,
    value: withDefaults(slug, row?.value),
    version: row?.version ?? 0,
    updated_by: row?.updated_by ?? null,
    updated_at: row?.updated_at.toISOString() ?? null,
    schema: { ...settingSchemas[slug] },
    overridden_by: overriddenBy(config, slug),
    secrets: await secretsOf(db, slug),
  };
}

/** Groups whose numbers guard money: the audit log says from what to what they were changed. */
const toldWithFigures: ReadonlySet<SettingSlug> = new Set(['rate-api'] as const);

function changedFigures(before: Record<string, unknown>, after: Record<string, unknown>) {
  const parts = changedParts(before, after);
  const of = (value: Record<string, unknown>) =>
    Object.fromEntries(parts.map((part) => [part, value[part]]));
  return { from: of(before), to: of(after) };
}

function changedParts(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after)
    .filter(([part, value]) => canonical(old.get(part)) !== canonical(value))
    .map(([part]) => part);
}
