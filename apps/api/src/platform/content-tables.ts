/** The tables of what admins write for the public site. */
import type { Generated } from 'kysely';
import type { Stamp } from './columns.ts';

export interface MediaTable {
  id: string;
  /** The part of the public name that tells pictures apart. */
  key: string;
  name: string;
  alt: string;
  width: number;
  height: number;
  fallback_format: 'jpg' | 'png';
  search: Generated<string>;
  created_by: string | null;
  created_at: Stamp;
}

export interface MediaFilesTable {
  media_id: string;
  width: number;
  format: 'avif' | 'webp' | 'jpg' | 'png';
  stored_name: string;
  size_bytes: number;
}

/** What shows a picture: a post, a page, a group of settings. */
export interface MediaUsesTable {
  media_id: string;
  subject_kind: string;
  subject_id: string;
  label: string;
  href: string;
}
