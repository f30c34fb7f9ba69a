/**
 * The library of pictures that posts, pages and settings show. A picture is stored
 * in several widths and formats under names that never change their meaning:
 * `/media/{id}-{width}.{format}`, served for good by the API and handed on by the
 * frontend at the same path, so that the pages' policy names no other origin.
 */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint, publicReads } from './endpoint.ts';
import { byId } from './revisions.ts';
import { Cursor, cursorQuery, Id, One, Strict, Time, Words } from './wire.ts';

const ladder = [320, 640, 960, 1280, 1920] as const;
const widest = 1920;
export const mediaFormats = ['avif', 'webp', 'jpg', 'png'] as const;
export type MediaFormat = (typeof mediaFormats)[number];

/** The widths in pixels that a picture of this width is stored in, ascending. */
export function mediaWidths(originalWidth: number): number[] {
  const last = Math.min(originalWidth, widest);
  return [...ladder.filter((width) => width < last), last];
}

export interface MediaName {
  readonly id: string;
  readonly width: number;
  readonly format: MediaFormat;
}

export function mediaPath({ id, width, format }: MediaName): string {
  return `/media/${id}-${width}.${format}`;
}

const mediaName = /^\/media\/([a-z0-9]{16})-([1-9][0-9]{0,3})\.(avif|webp|jpg|png)$/;

/** Null for what is no path of the library. */
export function parseMediaPath(path: string): MediaName | null {
  const match = mediaName.exec(path);
  if (match === null) return null;
  const [, id = '', width = '', format = ''] = match;
  return { id, width: Number(width), format: format as MediaFormat };
}

/** A picture of the library as other shapes name it: the largest WebP of it. */
export const MediaPath = Type.String({
  pattern: '^/media/[a-z0-9]{16}-[1-9][0-9]{0,3}\\.webp$',
  maxLength: 60,
  description: 'a picture of the library',
});

const Alt = Type.String({ maxLength: 300 });
const Name = Words(1, 120);

export const MediaItem = Type.Object({
  id: Id,
  /** As the file was called, or was renamed; for the console only. */
  name: Type.String(),
  /** What it says to whoever cannot see it; empty for an ornament. */
  alt: Type.String(),
  /** In pixels, upright. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** The largest WebP: what HTML and settings keep. */
  path: MediaPath,
  /** The largest JPEG, or PNG where the picture is see-through: for letters and link previews. */
  fallback: Type.String(),
  /** Of all sizes and formats together. */
  size_bytes: Type.Integer(),
  created_at: Time,
});
export type MediaItem = Static<typeof MediaItem>;

export const listMedia = endpoint({
  ...adminReads('content'),
  path: '/api/admin/media',
  summary: 'The library, the newest picture first; `q` looks in names and alternative texts.',
  query: Strict({ ...cursorQuery, q: Type.Optional(Type.String({ maxLength: 100 })) }),
  reply: Cursor(MediaItem),
});

export const uploadMedia = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/media',
  throttle: 'upload',
  summary: 'Adds one picture: JPEG, PNG, WebP, AVIF or GIF, redrawn in all widths and formats.',
  status: 201,
  upload: 'file',
  reply: One(MediaItem),
});

export const updateMedia = endpoint({
  ...adminWrites('content'),
  method: 'PATCH',
  path: '/api/admin/media/{id}',
  summary: 'Changes the name or the alternative text of a picture.',
  params: byId,
  body: Strict({ name: Type.Optional(Name), alt: Type.Optional(Alt) }),
  reply: One(MediaItem),
});

export const deleteMedia = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/media/{id}',
  summary: 'Deletes a picture for good; refused while something shows it.',
  status: 204,
  params: byId,
  refusals: ['media_in_use'],
});

/** Answers the file itself, so it has no reply schema. */
export const getMediaFile = endpoint({
  ...publicReads,
  path: '/media/{name}',
  throttle: 'file',
  summary: 'One picture in one width and format; it never changes.',
  params: Strict({ name: Type.String({ maxLength: 60 }) }),
});
