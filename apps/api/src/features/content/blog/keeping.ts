/**
 * Revisions that posts make of themselves. The working copy saves itself every two
 * seconds: what is typed over by somebody else, later, or all at once is kept first.
 */
import type { PostContent } from '@cambist/contract/blog';
import { canonical } from '#kernel/canonical.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { losesMuch } from '#kernel/losses.ts';
import { savedBy } from '#kernel/saved-by.ts';
import type { Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { notePastPictures } from './pictures.ts';
import type { PostRow } from './store.ts';
import * as store from './writing-store.ts';

type KeepDeps = Pick<Deps, 'clock'>;
/** `system` writes the demo desk's. */
export type Author = Actor | 'system';

/** Between two revisions that nobody asked for. */
const REVISION_EVERY_MS = 10 * MINUTE;
/** A revision where one is asked for, or where the last is old enough and says something else. */
export async function keepRevision(
  deps: KeepDeps,
  tx: Tx,
  actor: Author,
  id: Id,
  content: PostContent,
  { reason, always }: { reason: store.RevisionRow['reason']; always: boolean },
): Promise<void> {
  const last = await store.findLastRevision(tx, id);
  if (last && isSame(last.content, content) && reason === 'saved') return;
  if (!always && last && !isOld(deps, last)) return;
  const { saved_at: at, saved_by: author_id, saved_by_name: author_name } = savedBy(deps, actor);
  await store.insertRevision(tx, { post_id: id, reason, content, author_id, author_name, at });
  await notePastPictures(tx, id, content);
}

/**
 * Before `next` takes the place of the working copy: a revision of it, in the name of
 * whoever wrote it, where no revision has it and it is somebody else's, the last
 * revision is old, or much of it goes.
 */
export async function keepOverwritten(
  deps: KeepDeps,
  tx: Tx,
  actor: Author,
  row: PostRow,
  next: PostContent,
): Promise<void> {
  const { id, draft, saved_by, saved_by_name, saved_at } = row;
  if (isSame(draft, next)) return;
  const last = await store.findLastRevision(tx, id);
  // A post that was just begun has nothing but its title.
  if (last === undefined || isSame(last.content, draft)) return;
  const isOwn = saved_by === savedBy(deps, actor).saved_by;
  if (isOwn && !isOld(deps, last) && !losesMuch(draft, next)) return;
  const author = { author_id: saved_by, author_name: saved_by_name };
  await store.insertRevision(tx, {
    post_id: id,
    reason: 'saved',
    content: draft,
    ...author,
    at: saved_at,
  });
  await notePastPictures(tx, id, draft);
}

const isSame = (one: PostContent, other: PostContent) => canonical(one) === canonical(other);

const isOld = ({ clock }: KeepDeps, last: store.RevisionRow) =>
  clock().getTime() - last.at.getTime() >= REVISION_EVERY_MS;
