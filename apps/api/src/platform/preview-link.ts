/** Links to a working copy for people without an account: signed, stored nowhere, and over after three days. */
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from './deps.ts';

const LASTS_MS = 3 * DAY;
const shape = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]+)$/;

export interface PreviewPlace {
  /** What it is a preview of: a token of one purpose opens nothing of another. */
  readonly purpose: string;
  /** The frontend's path before the token: `/blog/preview/`. */
  readonly path: string;
}

export function previewLink(
  { clock, keys, config }: Pick<Deps, 'clock' | 'keys' | 'config'>,
  { purpose, path }: PreviewPlace,
  id: Id,
): { url: string; expires_at: string } {
  const expires = clock().getTime() + LASTS_MS;
  const text = `${id}.${expires}`;
  return {
    url: `${config.frontendUrl}${path}${text}.${keys.sign(purpose, text)}`,
    expires_at: new Date(expires).toISOString(),
  };
}

/** @throws {Refusal} 404 for a token that is over or was never made */
export function previewedId(
  { clock, keys }: Pick<Deps, 'clock' | 'keys'>,
  { purpose }: PreviewPlace,
  token: string,
): Id {
  const [, id = '', expires = '', signature = ''] = shape.exec(token) ?? [];
  if (!keys.verify(purpose, `${id}.${expires}`, signature)) throw notFound();
  if (Number(expires) < clock().getTime()) throw notFound();
  return id;
}
