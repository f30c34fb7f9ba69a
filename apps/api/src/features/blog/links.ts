/** What would lead nowhere without a post. */
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { listLinking, type LinkRow } from './link-store.ts';
import { findPost, listRedirects } from './writing-store.ts';

const MOST = 50;

/** @throws {Refusal} 404 */
export async function listLinks(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  id: Id,
): Promise<LinkRow[]> {
  const row = await findPost(db, id);
  if (row === undefined) throw notFound();
  const slugs = [row.slug, ...(await listRedirects(db, id))];
  const { host } = new URL(config.frontendUrl);
  const noted = slugs.flatMap((slug) => [slug, `${host}/${slug}`]);
  return listLinking(db, id, noted, { now: clock(), limit: MOST });
}
