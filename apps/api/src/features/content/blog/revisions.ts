/** What a post has been: looked at and put back. */
import { refusedTagSign, Tag } from '@cambist/contract/blog';
import type { Revision } from '@cambist/contract/blog-writing';
import { Value } from 'typebox/value';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import { savedBy } from '#kernel/saved-by.ts';
import { transaction, type Db } from '#platform/database.ts';
import { getDraft, stateAt } from './drafts.ts';
import { scriptsRun } from './head-scripts.ts';
import { keepRevision } from './keeping.ts';
import { lockAt, tell, type WriteDeps } from './writing.ts';
import { inKnownSpelling } from './tags.ts';
import { notePictures } from './pictures.ts';
import * as store from './writing-store.ts';

const PER_PAGE = 50;
const LAST = 2_147_483_647;

/** @throws {Refusal} 404; 422 on `cursor` */
export async function listRevisions(
  db: Db,
  id: Id,
  { cursor, per_page = PER_PAGE }: { readonly cursor?: string; readonly per_page?: number },
) {
  if (!(await store.findPost(db, id))) throw notFound();
  if (cursor !== undefined && !/^[1-9][0-9]{0,8}$/.test(cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  const below = cursor === undefined ? LAST : Number(cursor);
  const rows = await store.listRevisions(db, id, below, per_page + 1);
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? String(last.number) : null;
  return { data: page.map(noteOf), meta: { next_cursor, per_page } };
}

/** @throws {Refusal} 404 */
export async function getRevision(db: Db, id: Id, number: number) {
  const row = await store.findRevision(db, id, number);
  if (row === undefined) throw notFound();
  return { ...noteOf({ ...row, title: row.content.title }), content: row.content };
}

/** @throws {Refusal} 404; 409 `version_conflict` */
export async function restoreRevision(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin,
  { id, number, version }: { readonly id: Id; readonly number: number; readonly version: number },
) {
  const mayRun = await scriptsRun(deps);
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    const revision = await store.findRevision(tx, id, number);
    if (revision === undefined) throw notFound();
    await keepRevision(deps, tx, actor, id, row.draft, { reason: 'saved', always: true });
    const { content } = revision;
    // A tag of before that is none by now would keep the whole from being saved.
    const tags = content.tags.map(seenTag).filter((tag) => Value.Check(Tag, tag));
    const draft = { ...content, tags: await inKnownSpelling(tx, id, tags, row.draft.tags) };
    await store.updatePost(tx, id, { draft, version: version + 1, ...savedBy(deps, actor) });
    await keepRevision(deps, tx, actor, id, draft, { reason: 'restored', always: true });
    await notePictures(tx, id);
    await tell(tx, actor, origin, 'blog.restored', id, { number });
    return getDraft(deps, tx, id, mayRun);
  });
}

/** A tag from its first sign on that one may begin with: those of before began with fillers too. */
function seenTag(tag: string): string {
  const signs = [...tag];
  const start = signs.findIndex((sign) => refusedTagSign(sign) === null);
  return start === -1 ? '' : signs.slice(start).join('');
}

function noteOf(row: Omit<store.RevisionRow, 'content'> & { title: string }): Revision {
  const { number, reason, title, author_name, at, published_at } = row;
  return {
    number,
    reason,
    state: stateAt(published_at, at),
    published_at: published_at?.toISOString() ?? null,
    title,
    author: author_name,
    at: at.toISOString(),
  };
}
