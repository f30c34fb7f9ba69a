/**
 * Secrets among the settings: sealed with a key derived from APP_KEY, bound to
 * their slug and name, so that a row that was changed or moved does not open.
 * They are written and used, and never shown again but for the last four.
 */
import type { ByAnyone } from '#kernel/actor.ts';
import { record } from '#features/audit/audit.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { MissingAppKey } from '#platform/security/keys.ts';
import * as store from './store.ts';

export interface SecretNote {
  readonly name: string;
  /** Empty for a secret so short that they would give it away. */
  readonly last_four: string;
  readonly updated_at: string;
}

export interface SecretChange {
  readonly slug: string;
  readonly name: string;
  /** Null removes it. */
  readonly plain: string | null;
}

const PURPOSE = 'settings';
/** Four characters of less than this would be a fair part of the secret. */
const SHOWN_FROM_LENGTH = 16;

/** Keeps, replaces or removes one secret. @throws {MissingAppKey} */
export async function writeSecret(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  by: ByAnyone,
  { slug, name, plain }: SecretChange,
): Promise<void> {
  if (plain === null) await store.deleteSecret(tx, slug, name);
  else {
    await store.upsertSecret(tx, {
      slug,
      name,
      sealed: keys.seal(PURPOSE, plain, place(slug, name)),
      last_four: plain.length < SHOWN_FROM_LENGTH ? '' : plain.slice(-4),
      updated_by: by.actor === 'system' ? null : by.actor.id,
      // Other processes compare it with what they date, as when a provider refused the key before.
      updated_at: clock(),
    });
  }
  const kind = plain === null ? 'secret_removed' : 'secret_written';
  await record(tx, {
    ...by,
    action: `settings.${kind}`,
    subject_kind: 'settings',
    subject_id: slug,
    data: { name },
  });
}

/** A stored secret that does not open: it was changed, or sealed with another APP_KEY. */
export class SealedOtherwise extends Error {}

/**
 * The secret itself, for use; null when there is none.
 * @throws {MissingAppKey}
 * @throws {SealedOtherwise}
 */
export async function readSecret(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  slug: string,
  name: string,
): Promise<string | null> {
  const sealed = await findSealed({ db, keys }, slug, name);
  return sealed?.open() ?? null;
}

interface Sealed {
  readonly updatedAt: Date;
  /**
   * @throws {MissingAppKey}
   * @throws {SealedOtherwise}
   */
  readonly open: () => string;
}

/** A stored secret with its time, both of one moment; null when there is none. */
export async function findSealed(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  slug: string,
  name: string,
): Promise<Sealed | null> {
  const row = await store.findSecret(db, slug, name);
  return row ? { updatedAt: row.updated_at, open: () => opened(keys, row) } : null;
}

/** @throws {MissingAppKey} @throws {SealedOtherwise} */
export function opened(
  keys: Deps['keys'],
  { slug, name, sealed }: Pick<store.SecretRow, 'slug' | 'name' | 'sealed'>,
): string {
  try {
    return keys.open(PURPOSE, sealed, place(slug, name));
  } catch (error) {
    if (error instanceof MissingAppKey) throw error;
    throw new SealedOtherwise(
      `The secret ${place(slug, name)} does not open: it was changed, or APP_KEY is another one.`,
      { cause: error },
    );
  }
}

/** Which secrets a slug has, without a single one of them. */
export async function describeSecrets(db: Db | Tx, slug: string): Promise<SecretNote[]> {
  const rows = await store.listSecrets(db, slug);
  return rows.map(({ name, last_four, updated_at }) => ({
    name,
    last_four,
    updated_at: updated_at.toISOString(),
  }));
}

function place(slug: string, name: string): string {
  return `${slug}/${name}`;
}
