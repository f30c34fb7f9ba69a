/** What would lead nowhere without a post. */
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Db } from '#platform/database.ts';
import { listLinking, type LinkRow } from './link-store.ts';
import { findPost, listRedirects } from './writing-store.ts';

const MOST = 50;

/** @throws {Refusal} 404 */
export async function listLinks(db: Db, id: Id): Promise<LinkRow[]> {
  const row = await findPost(db, id);
  if (row === undefined) throw notFound();
  const slugs = [row.slug, ...(await listRedirects(db, id))];
  const plain = slugs.filter((slug) => /^[a-z0-9-]+$/.test(slug));
  return plain.length === 0 ? [] : listLinking(db, id, plain, MOST);
}
