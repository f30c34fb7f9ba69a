/**
 * How a picture comes into the library: read, drawn in all its sizes, and stored once, however often
 * the same file comes. Files of it that are lost, as after a restore without them, come back so.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { ANIMATED, type MediaItem } from '@cambist/contract/media';
import type { FastifyRequest } from 'fastify';
import type { Actor, Origin } from '#kernel/actor.ts';
import { newId } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { transaction } from '#platform/db/database.ts';
import { readUpload } from '#platform/http/upload.ts';
import { discard, folder, get, itemOf, type WriteDeps } from './media.ts';
import { draw, type Drawn, type Undrawn } from './picture.ts';
import * as store from './store.ts';

/** Below the limit of a request's body. */
const maxBytes = 7 * 1024 * 1024;
const KEY_LENGTH = 16;

/** What the library has of a picture that came; `known`: it was there before. */
export type Added = MediaItem & { readonly known: boolean };

/** Reads, draws and stores one picture. @throws {Refusal} 422 on `file`, 413 */
export async function addUpload(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin,
  request: FastifyRequest,
): Promise<Added> {
  const { file, name } = await readUpload(deps.files, request, { field: 'file', folder, maxBytes });
  try {
    const picture = { source: file.path, name: nameOf(name), alt: '' };
    return await add(deps, actor, origin, picture);
  } finally {
    await file.discard();
  }
}

const undrawn: Readonly<Record<Undrawn, string>> = {
  animation:
    'The animation is too long or too large: all its pictures together may have 24 megapixels. Make it shorter or smaller.',
  pixels: 'The picture has more than 40 megapixels. Make it smaller.',
  kind: 'The file is not a JPEG, PNG, WebP, AVIF or GIF picture, whatever its name says. Save the picture as one of these.',
  damaged:
    'The file is damaged, a part of it is missing, or it is of another kind than its name says: it cannot be read as a picture. Save it once more as a picture and try again.',
  slow: 'The picture takes too long to draw. Make it smaller, or save it as a JPEG, and try again.',
};

export interface NewPicture {
  /** Its bytes, or the path of a file that stays the caller's. */
  readonly source: string | Buffer;
  readonly name: string;
  readonly alt: string;
}

/** The same bytes are stored once. @throws {Refusal} 422 on `file` for what is no picture. */
export async function add(
  deps: WriteDeps,
  actor: Actor | 'system',
  origin: Origin | null,
  picture: NewPicture,
): Promise<Added> {
  const hash = await hashOf(picture.source);
  // Asked once more only after another one of the same was overtaken and deleted meanwhile.
  for (;;) {
    const known = await store.findBySource(deps.db, hash);
    if (known !== undefined) {
      const mended = await mend(deps, known, picture.source);
      if (mended !== undefined) return { ...itemOf(mended), known: true };
      continue;
    }
    const added = await addNew(deps, actor, origin, picture, hash);
    if (added !== null) return { ...added, known: false };
  }
}

/** Null where the same came at this moment too, and was first. */
async function addNew(
  deps: WriteDeps,
  actor: Actor | 'system',
  origin: Origin | null,
  { source, name, alt }: NewPicture,
  source_hash: Buffer,
): Promise<MediaItem | null> {
  const drawn = await drawnOf(source);
  const id = newId();
  const files = await saveAll(deps, drawn.files);
  const row = {
    id,
    key: newKey(drawn.isAnimated),
    name,
    alt,
    width: drawn.width,
    height: drawn.height,
    fallback_format: drawn.fallback,
    source_hash,
    created_by: actor === 'system' ? null : actor.id,
    created_at: deps.clock(),
  };
  const removeFiles = () =>
    discard(
      deps,
      files.map(({ stored_name }) => stored_name),
    );
  try {
    const added = await transaction(deps.db, async (tx) => {
      const rows = files.map((file) => ({ ...file, media_id: id }));
      if (!(await store.insertMedia(tx, row, rows))) return null;
      await record(tx, {
        actor,
        origin,
        action: 'media.added',
        subject_kind: 'media',
        subject_id: id,
        data: { name },
      });
      return get(tx, id);
    });
    if (added === null) await removeFiles();
    return added;
  } catch (error) {
    await removeFiles();
    throw error;
  }
}

/**
 * Writes the files of a picture anew that are not there; those that are stay, since readers keep
 * them for good. Undefined where it was deleted meanwhile.
 */
async function mend(
  deps: WriteDeps,
  known: store.ShownRow,
  source: string | Buffer,
): Promise<store.ShownRow | undefined> {
  const rows = await store.listFiles(deps.db, known.id);
  const sizes = await Promise.all(rows.map((row) => deps.files.size(folder, row.stored_name)));
  const lost = rows.filter(({ size_bytes }, at) => sizes[at] !== size_bytes);
  if (lost.length === 0) return known;
  const lostAs = (file: { readonly width: number; readonly format: string }) =>
    lost.find(({ width, format }) => file.width === width && file.format === format);
  const { files } = await drawnOf(source);
  for (const file of await saveAll(deps, files.filter(lostAs))) {
    const row = lostAs(file);
    const isReplaced = row !== undefined && (await store.replaceFile(deps.db, row, file));
    // Of two who mend it at one moment the second leaves it as the first has made it.
    await discard(deps, [isReplaced ? row.stored_name : file.stored_name]);
  }
  deps.log.warn({ media: known.key, files: lost.length }, 'A picture’s lost files came back.');
  return store.findMedia(deps.db, known.id);
}

async function drawnOf(source: string | Buffer): Promise<Drawn> {
  const drawn = await draw(source);
  if (typeof drawn === 'string') throw invalid({ file: undrawn[drawn] });
  return drawn;
}

async function hashOf(source: string | Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  if (typeof source !== 'string') return hash.update(source).digest();
  await pipeline(createReadStream(source), hash);
  return hash.digest();
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

/** Without vowels there are no words in it, and no key begins as that of an animation by chance. */
const letters = 'bcdfghjkmnpqrstvwxz2456789';

function newKey(isAnimated: boolean): string {
  const key = [...randomBytes(KEY_LENGTH)].map((byte) => letters[byte % letters.length]).join('');
  return isAnimated ? ANIMATED + key.slice(1) : key;
}

/** The sender's name for it, without path, ending, control and direction characters. */
function nameOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').replace(/\.[^.]*$/, '');
  return plain.trim().slice(0, 120).toWellFormed() || 'Picture';
}
