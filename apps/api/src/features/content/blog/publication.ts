/** What makes a post public, and what takes it off the site again. */
import { isReadableAddress } from '@cambist/contract/address';
import type { PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { isTooFarAhead, yearsAhead } from '@cambist/contract/schedule';
import { isVisible } from '@cambist/contract/visible-text';
import { textOf } from '@cambist/html/text';
import { MarkupFault, readJsonLd, writeJsonLd } from '@cambist/html/json-ld';
import type { By, ByAnyone } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { isSlugTaken, lockAddresses, redirect } from '#features/content/address-store.ts';
import { findLastPublication, noteRevision } from '#features/content/drafts.ts';
import { isMissing } from '#features/content/media/media.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { BLOG } from './blog.ts';
import { getDraft, subjectOf } from './drafts.ts';
import { lockAt, locked, recordPost, type WriteDeps } from './writing.ts';
import type { PostRow } from './store.ts';
import * as store from './writing-store.ts';

const WORDS_A_MINUTE = 220;

export interface Plan {
  readonly version: number;
  /** Null: now, or as it was where the post is public already. */
  readonly publishAt: Date | null;
}

/**
 * Makes the draft public at `publishAt`; null means now, or leaves the time
 * of what is public already.
 * @throws {Refusal} 404; 409 `version_conflict`; 422 by field
 */
export async function publish(
  deps: WriteDeps,
  by: ByAnyone,
  id: Id,
  { version, publishAt }: Plan,
): Promise<PostDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    const now = deps.clock();
    const { draft } = row;
    const errors = unpublishable(draft);
    await lockAddresses(tx, 'post');
    if (await isSlugTaken(tx, 'post', draft.slug, id)) {
      errors['slug'] = 'The address has already been taken.';
    }
    if (draft.cover !== null && (await isMissing(tx, draft.cover))) {
      errors['cover'] = 'The library has no such picture.';
    }
    if (publishAt !== null && isTooFarAhead(publishAt, now)) {
      errors['publish_at'] = `Choose a time within the next ${yearsAhead} years.`;
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
    const isPublic = row.published_at !== null && row.published_at <= now;
    const published_at = publishAt ?? (isPublic ? row.published_at : now) ?? now;
    if (row.slug !== draft.slug && (await wasPublic(tx, row))) {
      await redirect(tx, 'post', id, { from: row.slug, to: draft.slug });
    }
    await store.updatePost(tx, id, {
      ...publicColumns(draft),
      published_at,
      announced_at: published_at <= now ? now : null,
      updated_at: now,
      version: version + 1,
    });
    await noteRevision(deps, tx, by.actor, subjectOf(id), { reason: 'published', content: draft });
    await deps.published.changed(tx, BLOG);
    const data = { slug: draft.slug, title: draft.title, published_at: published_at.toISOString() };
    await recordPost(tx, by, 'blog.published', id, data);
    return getDraft(deps, tx, id);
  });
}

/** @throws {Refusal} 404 */
export async function unpublish(deps: WriteDeps, by: By, id: Id): Promise<PostDraft> {
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    if (row.published_at !== null) {
      // An editor who publishes from a page of before gets a conflict.
      await store.updatePost(tx, id, { published_at: null, version: row.version + 1 });
      await deps.published.changed(tx, BLOG);
      await recordPost(tx, by, 'blog.unpublished', id, { slug: row.slug });
    }
    return getDraft(deps, tx, id);
  });
}

/** Other sites may link to its address, also while it is off the site. */
async function wasPublic(tx: Tx, { id, published_at, announced_at }: PostRow): Promise<boolean> {
  if (published_at !== null || announced_at !== null) return true;
  return (await findLastPublication(tx, subjectOf(id))) !== undefined;
}

/** What keeps the draft from being published, by field. */
function unpublishable(draft: PostContent): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!isVisible(draft.title)) errors['title'] = 'A post needs a title.';
  if (!isVisible(textOf(draft.body)) && !draft.body.includes('<img')) {
    errors['body'] = 'A post needs a text.';
  }
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(draft.slug)) {
    errors['slug'] = 'The address may have small letters, digits and single hyphens only.';
  }
  if (draft.canonical !== null && !isReadableAddress(draft.canonical)) {
    errors['canonical'] = 'The original address must be one such as https://example.com/post.';
  }
  try {
    readJsonLd(draft.head_script);
  } catch (error) {
    if (!(error instanceof MarkupFault)) throw error;
    errors['head_script'] = error.message;
  }
  return errors;
}

function publicColumns(draft: PostContent) {
  const body_text = textOf(draft.body);
  const words = body_text.match(/\S+/g)?.length ?? 0;
  return {
    ...draft,
    body_text,
    reading_minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)),
    // Written anew, so that the page contains nothing but the JSON that was checked.
    head_script: structuredData(draft.head_script),
  };
}

function structuredData(source: string): string {
  const structured = readJsonLd(source);
  return structured.length === 0 ? '' : writeJsonLd(structured);
}
