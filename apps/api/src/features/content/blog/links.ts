/** What would lead nowhere without a post, or a legal page. */
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { addressesOf } from '#features/content/legal-pages/legal-pages.ts';
import type { Deps } from '#platform/deps.ts';
import { listLinking, type LinkRow } from './link-store.ts';
import { findPost, listRedirects } from './writing-store.ts';

/** Of each kind: the letters that are out leave room for what can still be mended. */
const MOST = 50;

type LinkDeps = Pick<Deps, 'db' | 'clock' | 'config'>;

interface Links {
  readonly data: LinkRow[];
  readonly has_more: boolean;
}

/** @throws {Refusal} 404 */
export async function listLinks(deps: LinkDeps, id: Id): Promise<Links> {
  const row = await findPost(deps.db, id);
  if (row === undefined) throw notFound();
  return linking(deps, id, [row.slug, ...(await listRedirects(deps.db, id))]);
}

/** Not settings: their links all stand in the footer, which leaves out by itself what is off the site. @throws {Refusal} 404 */
export async function listPageLinks(deps: LinkDeps, id: Id): Promise<Links> {
  const slugs = await addressesOf(deps.db, id);
  const paths = slugs.map((slug) => `/${slug}`);
  const { data, has_more } = await linking(deps, id, paths);
  return { data: data.filter(({ kind }) => kind !== 'settings'), has_more };
}

async function linking(
  { db, clock, config }: LinkDeps,
  id: Id,
  slugs: readonly string[],
): Promise<Links> {
  const { host } = new URL(config.frontendUrl);
  const noted = slugs.flatMap((slug) => [slug, `${host}/${slug}`]);
  // One more than are named tells whether there are more.
  const rows = await listLinking(db, id, noted, { now: clock(), limit: MOST + 1 });
  const kinds = Map.groupBy(rows, ({ kind }) => kind).values();
  const data = [...kinds].flatMap((each) => each.slice(0, MOST));
  return { data, has_more: data.length < rows.length };
}
