/** How a picture comes into the library: read, drawn in all its sizes, and stored. */
import { randomBytes } from 'node:crypto';
import type { MediaItem } from '@cambist/contract/media';
import type { FastifyRequest } from 'fastify';
import type { By, ByAnyone } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import { readUpload } from '#platform/http/upload.ts';
import { discard, folder, get, type WriteDeps } from './media.ts';
import { draw, type Drawn, type Undrawn } from './picture.ts';
import * as store from './store.ts';

/** Below the limit of a request's body. */
const maxBytes = 7 * 1024 * 1024;
const KEY_LENGTH = 16;

/** Reads, draws and stores one picture. @throws {Refusal} 422 on `file`, 413 */
export async function addUpload(
  deps: WriteDeps,
  by: By,
  request: FastifyRequest,
): Promise<MediaItem> {
  const { file, name } = await readUpload(deps.files, request, { field: 'file', folder, maxBytes });
  try {
    const picture = { source: file.path, name: nameOf(name), alt: '' };
    return await add(deps, by, picture);
  } finally {
    await file.discard();
  }
}

const undrawn: Readonly<Record<Undrawn, string>> = {
  pixels: 'The picture has more than 40 megapixels. Make it smaller.',
  unreadable:
    'The file cannot be read as a JPEG, PNG, WebP, AVIF or GIF picture. Save it once more as one of these and try again.',
};

export interface NewPicture {
  /** Its bytes, or the path of a file that stays the caller's. */
  readonly source: string | Buffer;
  readonly name: string;
  readonly alt: string;
}

/** @throws {Refusal} 422 on `file` for what is no picture. */
export async function add(
  deps: WriteDeps,
  by: ByAnyone,
  { source, name, alt }: NewPicture,
): Promise<MediaItem> {
  const drawn = await draw(source);
  if (typeof drawn === 'string') throw invalid({ file: undrawn[drawn] });
  const id = newId();
  const files = await saveAll(deps, drawn.files);
  const row = {
    id,
    key: newKey(),
    name,
    alt,
    width: drawn.width,
    height: drawn.height,
    fallback_format: drawn.fallback,
    created_by: by.actor === 'system' ? null : by.actor.id,
    created_at: deps.clock(),
  };
  try {
    return await transaction(deps.db, async (tx) => {
      const rows = files.map((file) => ({ ...file, media_id: id }));
      await store.insertMedia(tx, row, rows);
      await record(tx, {
        ...by,
        action: 'media.added',
        subject_kind: 'media',
        subject_id: id,
        data: { name },
      });
      return get(tx, id);
    });
  } catch (error) {
    await discard(
      deps,
      files.map(({ stored_name }) => stored_name),
    );
    throw error;
  }
}

/** All of them or, where one cannot be written, none. */
async function saveAll(deps: WriteDeps, drawn: Drawn['files']) {
  const saved: Omit<store.FileRow, 'media_id'>[] = [];
  try {
    for (const { width, format, bytes } of drawn) {
      const stored_name = await deps.files.save(folder, bytes, format);
      saved.push({ width, format, stored_name, size_bytes: bytes.byteLength });
    }
  } catch (error) {
    await discard(
      deps,
      saved.map(({ stored_name }) => stored_name),
    );
    throw error;
  }
  return saved;
}

/** Without vowels there are no words in it. */
const letters = 'bcdfghjkmnpqrstvwxz2456789';

function newKey(): string {
  return [...randomBytes(KEY_LENGTH)].map((byte) => letters[byte % letters.length]).join('');
}

/** The sender's name for it, without path, ending, control and direction characters. */
function nameOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').replace(/\.[^.]*$/, '');
  return plain.trim().slice(0, 120).toWellFormed() || 'Picture';
}
