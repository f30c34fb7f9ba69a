/** Which pictures of the library a post shows, or showed in a revision that can be put back. */
import type { PostContent } from '@cambist/contract/blog';
import type { Id } from '#kernel/id.ts';
import { forgetUses, notePastUses, noteUses } from '#features/content/media/media.ts';
import type { Tx } from '#platform/database.ts';
import * as store from './writing-store.ts';

const subjectOf = (id: Id, title: string) => ({
  kind: 'post',
  id,
  label: `Post “${title}”`,
  href: `/admin/blog/${id}`,
});

const picturesOf = ({ body, cover }: Pick<PostContent, 'body' | 'cover'>) => [body, cover ?? ''];

/** After a change: those of the working copy, and of what is public beside it. */
export async function notePictures(tx: Tx, id: Id): Promise<void> {
  const row = await store.findPost(tx, id);
  if (row === undefined) return;
  const shown = row.published_at === null ? [] : [row];
  await noteUses(tx, subjectOf(id, row.draft.title), [row.draft, ...shown].flatMap(picturesOf));
}

/** Of a revision that was made just now. */
export async function notePastPictures(tx: Tx, id: Id, content: PostContent): Promise<void> {
  await notePastUses(tx, subjectOf(id, content.title), picturesOf(content));
}

/** Of a post that goes with all its revisions. */
export async function forgetPictures(tx: Tx, id: Id): Promise<void> {
  await forgetUses(tx, subjectOf(id, ''));
}
