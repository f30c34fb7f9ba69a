/**
 * What was written of settings: kept in the transaction that writes, listed with
 * what it changed, and found again to be restored.
 */
import type { SettingsChange } from '@cambist/contract/settings-history';
import type { SettingSlug } from '@cambist/contract/settings';
import type { Actor } from '#kernel/actor.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/database.ts';
import { changesBetween } from './changes.ts';
import * as store from './history-store.ts';
import { stepsOf, type Step } from './steps.ts';

const PER_PAGE = 20;
const NEWEST = Number.MAX_SAFE_INTEGER;

export interface Writing {
  readonly slug: SettingSlug;
  readonly version: number;
  /** The version that is taken back; null for what somebody wrote. */
  readonly restored: number | null;
  readonly chosen: boolean;
  readonly before: Record<string, unknown>;
  readonly value: Record<string, unknown>;
}

/** Keeps one writing with the whole value before and after it. */
export function noteWriting(
  tx: Tx,
  actor: Actor | 'system',
  at: Date,
  writing: Writing,
): Promise<void> {
  const kind = writing.restored === null ? 'written' : 'restored';
  return store.insertChange(tx, { ...writing, kind, secret: null, ...author(actor), at });
}

export interface SecretDeed {
  readonly slug: string;
  readonly name: string;
  readonly kind: 'secret_written' | 'secret_removed';
}

/** Keeps that a secret was changed, and nothing of it. */
export function noteSecret(
  tx: Tx,
  actor: Actor | 'system',
  at: Date,
  { slug, name, kind }: SecretDeed,
): Promise<void> {
  const nothing = { version: null, restored: null, before: null, value: null };
  return store.insertChange(tx, { slug, kind, ...nothing, secret: name, ...author(actor), at });
}

function author(actor: Actor | 'system') {
  const who = actor === 'system' ? null : actor;
  return { author_id: who?.id ?? null, author_name: who?.name ?? null };
}

/** One page of what was done to a slug's settings, the latest first. @throws {Refusal} 422 on `cursor` */
export async function listHistory(
  db: Db,
  slug: SettingSlug,
  { cursor, per_page = PER_PAGE }: { readonly cursor?: string; readonly per_page?: number },
) {
  if (cursor !== undefined && !/^[1-9][0-9]{0,14}$/.test(cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  const below = cursor === undefined ? NEWEST : Number(cursor);
  const [rows, writings] = await Promise.all([
    store.listChanges(db, slug, below, per_page + 1),
    store.listWritings(db, slug),
  ]);
  const steps = stepsOf(writings);
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? String(last.id) : null;
  const data = page.map((row) => shownOf(row, steps.get(row.version ?? 0)));
  return { data, meta: { next_cursor, per_page } };
}

function shownOf(row: store.ChangeRow, step: Step | undefined): SettingsChange {
  const { id, kind, version, restored, secret, author_name, before, value } = row;
  const isKept = before !== null && value !== null;
  return {
    id,
    kind,
    version,
    restored,
    replaced: isKept && version !== null ? version - 1 : null,
    undo: step?.undo ?? null,
    redo: step?.redo ?? null,
    secret,
    author: author_name,
    at: row.at.toISOString(),
    ...(isKept ? changesBetween(before, value) : { changes: [], rows: [] }),
  };
}

/** The value of that version: as it was written, or as the next one found it. @throws {Refusal} 404 */
export async function findVersion(
  db: Db,
  slug: SettingSlug,
  version: number,
): Promise<Record<string, unknown>> {
  const own = await store.findChange(db, slug, version);
  const value = own?.value ?? (await store.findChange(db, slug, version + 1))?.before;
  if (!value) throw notFound();
  return value;
}
