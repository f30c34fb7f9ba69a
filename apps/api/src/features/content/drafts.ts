/**
 * Drafts and revisions of posts, legal pages and settings, by one mechanism. A draft stands in the
 * row of its subject under a version that every save raises; a revision is what a subject said at
 * one time, with its author, and can be restored. Preview links show a draft without an account.
 */
import type { Revision } from '@cambist/contract/revisions';
import type { Actor } from '#kernel/actor.ts';
import { canonical } from '#kernel/canonical.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound, versionConflict } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import * as store from './draft-store.ts';

export { findLastPublication, deleteRevisions } from './draft-store.ts';
export type Subject = store.Subject;
/** `system` writes what a new desk begins with. */
export type Author = Actor | 'system';

/** An editor's saves within this time are one revision, unless much is lost: posts save themselves. */
const ONE_REVISION_MS = 10 * MINUTE;
const PREVIEW_MS = 3 * DAY;
const PER_PAGE = 50;
const LAST = 2_147_483_647;

/** The columns of a draft that was saved now. */
export function savedNow({ clock }: Pick<Deps, 'clock'>, author: Author) {
  const { author_id, author_name } = authorOf(author);
  return { saved_at: clock(), saved_by: author_id, saved_by_name: author_name };
}

interface Saved {
  readonly version: number;
  readonly saved_at: Date;
  readonly saved_by_name: string | null;
}

/** @throws {Refusal} 409 `version_conflict`, with who saved the draft and when */
export function requireVersion(row: Saved, version: number): void {
  if (row.version === version) return;
  throw versionConflict({
    version: row.version,
    saved_by: row.saved_by_name,
    saved_at: row.saved_at.toISOString(),
  });
}

/**
 * Notes what a subject says from now on. The caller holds the subject's row lock. Content that the
 * last revision has already is not noted again, except when it is published or restored.
 */
export async function noteRevision(
  { clock }: Pick<Deps, 'clock'>,
  tx: Tx,
  author: Author,
  subject: Subject,
  { content, reason }: { readonly content: object; readonly reason: Revision['reason'] },
): Promise<void> {
  const now = clock();
  const last = await store.findLastRevision(tx, subject);
  if (reason === 'saved' && last) {
    if (canonical(last.content) === canonical(content)) return;
    const isOngoing =
      subject.kind !== 'settings' &&
      last.reason === 'saved' &&
      last.author_id === authorOf(author).author_id &&
      now.getTime() - last.begun_at.getTime() < ONE_REVISION_MS &&
      !losesMuch(last.content, content);
    if (isOngoing) {
      await store.updateRevision(tx, subject, last.number, { content, at: now });
      return;
    }
  }
  await store.insertRevision(tx, {
    subject_kind: subject.kind,
    subject_id: subject.id,
    number: (last?.number ?? 0) + 1,
    reason,
    content,
    ...authorOf(author),
    begun_at: now,
    at: now,
  });
}

/** More than half of the words of the body are gone, and so many that somebody could miss them. */
function losesMuch(before: object, after: object): boolean {
  const words = (content: { readonly body?: string }) => content.body?.split(/[\s<>]+/) ?? [];
  const kept = new Set(words(after));
  const all = words(before);
  const lost = all.filter((word) => !kept.has(word)).length;
  return lost > 20 && lost > all.length / 2;
}

function authorOf(author: Author) {
  return author === 'system'
    ? { author_id: null, author_name: null }
    : { author_id: author.id, author_name: author.name };
}

/** The latest first. @throws {Refusal} 422 on `cursor` */
export async function listRevisions(
  db: Db,
  subject: Subject,
  { cursor, per_page = PER_PAGE }: { readonly cursor?: string; readonly per_page?: number },
) {
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  const below = cursor === undefined ? LAST : Number(cursor);
  const rows = await store.listRevisions(db, subject, below, per_page + 1);
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? String(last.number) : null;
  return { data: page.map(revisionOf), meta: { next_cursor, per_page } };
}

/** @throws {Refusal} 404 */
export async function getRevision<Content extends object>(
  db: Db | Tx,
  subject: Subject,
  number: number,
): Promise<Revision & { content: Content }> {
  const row = await store.findRevision(db, subject, number);
  if (row === undefined) throw notFound();
  return { ...revisionOf(row), content: row.content as Content };
}

function revisionOf({ number, reason, author_name, at }: store.RevisionHead): Revision {
  return { number, reason, author: author_name, at: at.toISOString() };
}

interface PreviewPlace {
  /** What it shows: a token of one purpose opens nothing of another. */
  readonly purpose: string;
  /** The frontend's path before the token: `/blog/preview/`. */
  readonly path: string;
}

/** A signed link to a draft, stored nowhere, that expires after three days. */
export function previewLink(
  { clock, keys, config }: Pick<Deps, 'clock' | 'keys' | 'config'>,
  { purpose, path }: PreviewPlace,
  id: Id,
): { url: string; expires_at: string } {
  const expires = clock().getTime() + PREVIEW_MS;
  const text = `${id}.${expires}`;
  return {
    url: `${config.frontendUrl}${path}${text}.${keys.sign(purpose, text)}`,
    expires_at: new Date(expires).toISOString(),
  };
}

const tokenShape = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]+)$/;

/** @throws {Refusal} 404 for a token that has expired or was never issued */
export function previewedId(
  { clock, keys }: Pick<Deps, 'clock' | 'keys'>,
  { purpose }: PreviewPlace,
  token: string,
): Id {
  const [, id = '', expires = '', signature = ''] = tokenShape.exec(token) ?? [];
  if (!keys.verify(purpose, `${id}.${expires}`, signature)) throw notFound();
  if (Number(expires) < clock().getTime()) throw notFound();
  return id;
}
