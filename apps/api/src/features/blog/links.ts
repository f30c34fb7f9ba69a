/** What would lead nowhere without a post, or a legal page. */
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { addressesOf } from '#features/legal-pages/legal-pages.ts';
import type { Deps } from '#platform/deps.ts';
import { listLinking, type LinkRow } from './link-store.ts';
import { findPost, listRedirects } from './writing-store.ts';

const MOST = 50;

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

/** @throws {Refusal} 404 */
export async function listLinks(deps: LinkDeps, id: Id): Promise<LinkRow[]> {
  const row = await findPost(deps.db, id);
  if (row === undefined) throw notFound();
  return linking(deps, id, [row.slug, ...(await listRedirects(deps.db, id))]);
}

/** Not settings: the footer leaves out by itself what is off the site. @throws {Refusal} 404 */
export async function listPageLinks(deps: LinkDeps, id: Id): Promise<LinkRow[]> {
  const slugs = await addressesOf(deps.db, id);
  const links = await linking(
    deps,
    id,
    slugs.map((slug) => `/${slug}`),
  );
  return links.filter(({ kind }) => kind !== 'settings');
}

function linking(
  { db, clock, config }: LinkDeps,
  id: Id,
  slugs: readonly string[],
): Promise<LinkRow[]> {
  const { host } = new URL(config.frontendUrl);
  const noted = slugs.flatMap((slug) => [slug, `${host}/${slug}`]);
  return listLinking(db, id, noted, { now: clock(), limit: MOST });
}
