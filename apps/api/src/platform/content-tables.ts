/** The tables of what admins write for the public site. */
import type { PostContent } from '@cambist/contract/blog';
import type { ContactTopic, MessageState } from '@cambist/contract/contact';
import type { LegalPageContent } from '@cambist/contract/legal-page-writing';
import type { ReportState } from '@cambist/contract/feature-reports';
import type { Generated, GeneratedAlways } from 'kysely';
import type { Json, Stamp } from './columns.ts';

export interface MediaTable {
  id: string;
  /** The part of the public name that tells pictures apart. */
  key: string;
  name: string;
  alt: string;
  width: number;
  height: number;
  fallback_format: 'jpg' | 'png';
  /** SHA-256 of the file that came; null for pictures of before it was noted. */
  source_hash: Buffer | null;
  search: GeneratedAlways<string>;
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

/** What shows a picture, or has shown it: a post, a page, a group of settings. */
export interface MediaUsesTable {
  media_id: string;
  subject_kind: string;
  subject_id: string;
  label: string;
  href: string;
  /** Shown by what can be put back, not by what it is now. */
  past: Generated<boolean>;
}

export interface PostsTable {
  id: string;
  slug: string;
  title: string;
  excerpt: Generated<string>;
  body: Generated<string>;
  body_text: Generated<string>;
  reading_minutes: Generated<number>;
  cover: string | null;
  cover_alt: Generated<string>;
  author: Generated<string>;
  tags: Generated<string[]>;
  canonical: string | null;
  meta_title: Generated<string>;
  meta_description: Generated<string>;
  head_script: Generated<string>;
  /** From when it is public; null for a draft. */
  published_at: Date | null;
  announced_at: Date | null;
  updated_at: Stamp;
  /** The working copy. */
  draft: Json<PostContent>;
  draft_tags: GeneratedAlways<string[]>;
  draft_search: GeneratedAlways<string>;
  version: Generated<number>;
  saved_at: Stamp;
  saved_by: string | null;
  saved_by_name: string | null;
  search: GeneratedAlways<string>;
}

export interface PostRevisionsTable {
  post_id: string;
  number: number;
  reason: 'saved' | 'published' | 'restored';
  content: Json<PostContent>;
  author_id: string | null;
  author_name: string | null;
  at: Date;
  /** From when the post was, or was to be, public at that moment. */
  published_at: Date | null;
}

/** Kept by triggers. */
export interface PostTagsTable {
  tag: string;
  /** In small letters, those of Arabic keyboards as Persian ones. */
  name: GeneratedAlways<string>;
  /** Posts whose working copy has it. */
  written: number;
  /** Posts that have it and are, or will be, public. */
  shown: number;
}

/** Kept by triggers: `10_history.sql`. */
export interface PostLinksTable {
  /** In small letters; of any post, with `/` before of any legal page, or of none. */
  slug: string;
  subject_kind: 'post' | 'legal_page' | 'settings' | 'campaign';
  subject_id: string;
  /** The version of a legal page; else 0. */
  number: Generated<number>;
}

export interface PostRedirectsTable {
  slug: string;
  post_id: string;
}

export interface LegalPagesTable {
  id: string;
  slug: string;
  position: Generated<number>;
  /** Null while it is not on the site. */
  published_at: Date | null;
  /** The working copy. */
  draft: Json<LegalPageContent>;
  version: Generated<number>;
  saved_at: Stamp;
  saved_by: string | null;
  saved_by_name: string | null;
}

/** Never changed and never deleted. */
export interface LegalPageVersionsTable {
  page_id: string;
  number: number;
  title: string;
  summary: string;
  body: string;
  change: string;
  /** `YYYY-MM-DD` */
  effective_on: string;
  author_id: string | null;
  author_name: string | null;
  at: Date;
}

/** Working copies that another text took the place of. */
export interface LegalPageCopiesTable {
  page_id: string;
  number: number;
  content: Json<LegalPageContent>;
  author_id: string | null;
  author_name: string | null;
  at: Date;
}

export interface LegalPageRedirectsTable {
  slug: string;
  page_id: string;
}

export interface ContactSubmissionsTable {
  id: string;
  number: GeneratedAlways<number>;
  name: string;
  email: string;
  topic: ContactTopic;
  exchange_number: string;
  message: string;
  state: Generated<MessageState>;
  suspected: boolean;
  version: Generated<number>;
  created_at: Stamp;
  /** The words of all of them and of the notes, to be searched. */
  entry_words: Generated<string>;
  search: GeneratedAlways<string>;
}

export interface ContactEntriesTable {
  id: string;
  submission_id: string;
  kind: 'note' | 'reply';
  body: string;
  author_id: string | null;
  author_name: string | null;
  at: Stamp;
}

export interface FeatureReportsTable {
  id: string;
  title: string;
  description: string;
  page: string;
  state: Generated<ReportState>;
  note: Generated<string>;
  version: Generated<number>;
  created_at: Stamp;
  search: GeneratedAlways<string>;
}

export interface PolicyReportsTable {
  page: string;
  directive: string;
  blocked: string;
  times: Generated<number>;
  first_at: Date;
  last_at: Date;
}
