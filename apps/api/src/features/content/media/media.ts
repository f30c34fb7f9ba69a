/**
 * The library of pictures. What is stored is never the uploaded file but what was drawn of it; a
 * public name always means the same bytes, so browsers cache them forever. A picture that is still
 * shown is not deleted.
 */
import {
  mediaPath,
  mediaWidths,
  parseMediaPath,
  type MediaFormat,
  type MediaItem,
} from '@cambist/contract/media';
import type { FastifyReply } from 'fastify';
import type { By } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { listPictureLinks, type Links } from '#features/content/link-store.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import * as store from './store.ts';

export const folder = 'public/media';
const PER_PAGE = 40;

export type WriteDeps = Pick<Deps, 'db' | 'files' | 'clock' | 'log'>;

const contentTypes: Readonly<Record<MediaFormat, string>> = {
  avif: 'image/avif',
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** The daily sweep finds what this could not remove. */
export async function discard({ files, log }: WriteDeps, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await files
      .remove(folder, name)
      .catch((error: unknown) => log.warn({ err: error }, 'A picture’s file stays for the sweep.'));
  }
}

/** @throws {Refusal} 404 */
export async function get(db: Db | Tx, id: Id): Promise<MediaItem> {
  const row = await store.findMedia(db, id);
  if (row === undefined) throw notFound();
  return itemOf(row);
}

/** The largest JPEG or PNG of the picture that this path names; null when it is gone. */
export async function fallbackOf(db: Db, path: string): Promise<string | null> {
  const named = parseMediaPath(path);
  if (named === null) return null;
  const format = await store.findFallback(db, named.id);
  return format === undefined ? null : mediaPath({ ...named, format });
}

/** Whether this is an address in the library at which it has no picture. */
export async function isMissing(db: Db, address: string): Promise<boolean> {
  return address.startsWith('/media/') && (await fallbackOf(db, address)) === null;
}

/** One page of the library, the newest first. @throws {Refusal} 422 on `cursor` */
export async function list(db: Db, { per_page = PER_PAGE, ...query }: ListQuery) {
  const ask = askOf({ ...query, per_page });
  const { page, meta } = pageOf(await store.listMedia(db, ask), ask, (row) => row.created_at);
  return { data: page.map(itemOf), meta };
}

/** @throws {Refusal} 404 */
export function update(
  deps: WriteDeps,
  by: By,
  id: Id,
  change: { readonly name?: string; readonly alt?: string },
): Promise<MediaItem> {
  return transaction(deps.db, async (tx) => {
    if (!(await store.lockMedia(tx, id))) throw notFound();
    if (Object.keys(change).length === 0) return get(tx, id);
    await store.updateMedia(tx, id, change);
    await record(tx, {
      ...by,
      action: 'media.updated',
      subject_kind: 'media',
      subject_id: id,
      data: change,
    });
    return get(tx, id);
  });
}

/** @throws {Refusal} 404; 409 `media_in_use` */
export async function remove(deps: WriteDeps, by: By, id: Id): Promise<void> {
  const names = await transaction(deps.db, async (tx) => {
    const row = await store.lockMedia(tx, id);
    if (row === undefined) throw notFound();
    const { data: uses } = await listPictureLinks(tx, row.key);
    if (uses.length > 0) {
      const places = uses.map(({ title }) => `“${title}”`).join(', ');
      throw new Refusal(409, 'media_in_use', `The picture is shown: ${places}.`);
    }
    await record(tx, {
      ...by,
      action: 'media.deleted',
      subject_kind: 'media',
      subject_id: id,
      data: { name: row.name },
    });
    return store.deleteMedia(tx, id);
  });
  await discard(deps, names);
}

/** @throws {Refusal} 404 */
export async function listUses(db: Db, id: Id): Promise<Links> {
  const row = await store.findMedia(db, id);
  if (row === undefined) throw notFound();
  return listPictureLinks(db, row.key);
}

/** Sends one file of a picture, for browsers to cache forever. @throws {Refusal} 404 */
export async function sendFile(
  { db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>,
  reply: FastifyReply,
  name: string,
): Promise<FastifyReply> {
  const asked = parseMediaPath(`/media/${name}`);
  if (asked === null) throw notFound();
  const { id: key, width, format } = asked;
  const stored = await store.findFile(db, { key, width, format });
  if (stored === undefined) throw notFound();
  const etag = `"${name}"`;
  // A proxy that compresses weakens the tag.
  const known = reply.request.headers['if-none-match']?.split(/\s*,\s*/) ?? [];
  if (known.includes(etag) || known.includes(`W/${etag}`)) {
    return keptForGood(reply, etag).code(304).send();
  }
  const file = await files.open(folder, stored);
  if (!file) {
    log.error({ media: name }, 'A picture has a row but no file.');
    throw notFound();
  }
  return keptForGood(reply, etag)
    .type(contentTypes[format])
    .header('content-length', file.sizeBytes)
    .send(file.stream);
}

/** Only for files that exist: a refusal must not be cached. */
function keptForGood(reply: FastifyReply, etag: string): FastifyReply {
  return reply
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('etag', etag)
    .header('cross-origin-resource-policy', 'cross-origin');
}

export function itemOf(row: store.ShownRow): MediaItem {
  const { key, fallback_format, created_at, ...shown } = row;
  const width = mediaWidths(row.width).at(-1) ?? row.width;
  return {
    ...shown,
    path: mediaPath({ id: key, width, format: 'webp' }),
    fallback: mediaPath({ id: key, width, format: fallback_format }),
    created_at: created_at.toISOString(),
  };
}
