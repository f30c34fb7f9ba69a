/** The working copy of a post for whoever was given a link to it. */
import type { PublicPost } from '@cambist/contract/blog';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { previewedId, previewLink } from '#platform/preview-link.ts';
import { postOf } from './blog.ts';
import { findPost } from './writing-store.ts';

const place = { purpose: 'post preview', path: '/blog/preview/' };

type PreviewDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'config'>;

/** @throws {Refusal} 404 */
export async function makeLink(deps: PreviewDeps, id: Id) {
  if (!(await findPost(deps.db, id))) throw notFound();
  return previewLink(deps, place, id);
}

/** @throws {Refusal} 404 for a link that is over, was never made, or whose post is gone */
export async function openLink(deps: PreviewDeps, token: string): Promise<PublicPost> {
  const { db, clock } = deps;
  const row = await findPost(db, previewedId(deps, place, token));
  if (row === undefined) throw notFound();
  const { draft } = row;
  const published_at = row.published_at ?? clock();
  const asPublished = { ...row, ...draft, published_at, updated_at: row.saved_at };
  // Scripts never run in a preview.
  return postOf(db, asPublished, [], false);
}
