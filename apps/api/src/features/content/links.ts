/** What links to a post, a legal page or a picture: asked before it goes. */
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { listContaining, type LinkRow } from './link-store.ts';

/** So many links are named; that there are more is said. */
const MOST = 100;

interface Links {
  readonly data: LinkRow[];
  readonly has_more: boolean;
}

interface Target {
  readonly id: Id;
  /** Paths at which the site shows it, or redirects to it: `/blog/first-post`. */
  readonly paths: readonly string[];
}

/** Links of the site's own pages, with or without its host. */
export async function listLinks(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { id, paths }: Target,
): Promise<Links> {
  const { host } = new URL(config.frontendUrl);
  // In HTML `href="/blog/a"`, in settings `"href": "/blog/a"`.
  const pattern = `href(=|": )"(https?://${literally(host)})?(${paths.map(literally).join('|')})/?["?#]`;
  return found(db, pattern, { except: id, today: clock().toISOString().slice(0, 10) });
}

/** What shows a picture, and what did in a revision that can be restored. */
export async function listPictureLinks(db: Db | Tx, key: string): Promise<Links> {
  return found(db, `/media/${literally(key)}-[0-9]`, { today: null, revisions: true });
}

async function found(
  db: Db | Tx,
  pattern: string,
  { revisions = false, ...asked }: { except?: Id; today: string | null; revisions?: boolean },
): Promise<Links> {
  const rows = await listContaining(db, { pattern, revisions, ...asked, limit: MOST + 1 });
  return { data: rows.slice(0, MOST), has_more: rows.length > MOST };
}

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
