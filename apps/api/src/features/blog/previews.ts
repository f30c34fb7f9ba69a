/** Links to a working copy for people without an account: signed, and over after three days. */
import type { PublicPost } from '@cambist/contract/blog';
import { MarkupFault } from '@cambist/markup/json-ld';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { postOf } from './blog.ts';
import { findPost } from './writing-store.ts';

const PURPOSE = 'post preview';
const LASTS_MS = 3 * DAY;
const shape = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]+)$/;

type PreviewDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'config'>;

/** @throws {Refusal} 404 */
export async function makeLink({ db, clock, keys, config }: PreviewDeps, id: Id) {
  if (!(await findPost(db, id))) throw notFound();
  const expires = clock().getTime() + LASTS_MS;
  const text = `${id}.${expires}`;
  const token = `${text}.${keys.sign(PURPOSE, text)}`;
  return {
    url: `${config.frontendUrl}/blog/preview/${token}`,
    expires_at: new Date(expires).toISOString(),
  };
}

/** @throws {Refusal} 404 for a link that is over, was never made, or whose post is gone */
export async function openLink(
  { db, clock, keys }: PreviewDeps,
  token: string,
): Promise<PublicPost> {
  const [, id = '', expires = '', signature = ''] = shape.exec(token) ?? [];
  if (!keys.verify(PURPOSE, `${id}.${expires}`, signature)) throw notFound();
  const now = clock();
  if (Number(expires) < now.getTime()) throw notFound();
  const row = await findPost(db, id);
  if (row === undefined) throw notFound();
  const { draft } = row;
  const asPublished = {
    ...row,
    ...draft,
    published_at: row.published_at ?? now,
    updated_at: row.saved_at,
  };
  try {
    return await postOf(db, asPublished, []);
  } catch (error) {
    if (!(error instanceof MarkupFault)) throw error;
    return postOf(db, { ...asPublished, head_script: '' }, []);
  }
}
