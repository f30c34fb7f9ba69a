/** What makes a post public, and what takes it off the site again. */
import { isReadableAddress } from '@cambist/contract/address';
import type { PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { isTooFarAhead, yearsAhead } from '@cambist/contract/schedule';
import { isVisible } from '@cambist/contract/visible-text';
import { textOf } from '@cambist/html/text';
import { readHeadScripts, writeHeadScripts } from '@cambist/html/head-scripts';
import { MarkupFault } from '@cambist/html/json-ld';
import type { Actor, Origin } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import { invalid } from '#kernel/refusal.ts';
import { isMissing } from '#features/content/media/media.ts';
import { transaction, type Tx } from '#platform/database.ts';
import { BLOG } from './blog.ts';
import { getDraft } from './drafts.ts';
import { checkHead, scriptsRun, tellScripts } from './head-scripts.ts';
import { keepRevision, type Author } from './keeping.ts';
import { lockAt, locked, tell, type WriteDeps } from './writing.ts';
import type { PostRow } from './store.ts';
import { notePictures } from './pictures.ts';
import * as store from './writing-store.ts';

const WORDS_A_MINUTE = 220;

export interface Plan {
  readonly version: number;
  /** Null: now, or as it was where the post is public already. */
  readonly publishAt: Date | null;
  /** Throws where the actor has not shown shortly before who they are. */
  readonly demandFresh: () => void;
}

/**
 * Makes the working copy public at `publishAt`; null means now, or leaves the time
 * of what is public already.
 * @throws {Refusal} 404; 409 `version_conflict`; 422 by field; 403 for other scripts than before
 */
export async function publish(
  deps: WriteDeps,
  actor: Author,
  origin: Origin | null,
  id: Id,
  { version, publishAt, demandFresh }: Plan,
): Promise<PostDraft> {
  const mayRun = await scriptsRun(deps);
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    const now = deps.clock();
    const { draft } = row;
    const errors = unpublishable(draft, mayRun);
    await store.lockAddresses(tx);
    if (await store.isSlugTaken(tx, draft.slug, id)) {
      errors['slug'] = 'The address has already been taken.';
    }
    if (draft.cover !== null && (await isMissing(tx, draft.cover))) {
      errors['cover'] = 'The library has no such picture.';
    }
    if (publishAt !== null && isTooFarAhead(publishAt, now)) {
      errors['publish_at'] = `Choose a time within the next ${yearsAhead} years.`;
    }
    if (Object.keys(errors).length > 0) throw invalid(errors);
    await tellScripts(tx, { actor, origin, row, demandFresh });

    const isPublic = row.published_at !== null && row.published_at <= now;
    const published_at = publishAt ?? (isPublic ? row.published_at : now) ?? now;
    if (row.slug !== draft.slug && (await wasPublic(tx, row))) {
      await store.redirect(tx, id, row.slug, draft.slug);
    }
    await store.updatePost(tx, id, {
      ...publicColumns(draft),
      published_at,
      announced_at: published_at <= now ? now : null,
      updated_at: now,
      version: version + 1,
    });
    await keepRevision(deps, tx, actor, id, draft, { reason: 'published', always: true });
    await notePictures(tx, id);
    await deps.published.changed(tx, BLOG);
    const data = { slug: draft.slug, title: draft.title, published_at: published_at.toISOString() };
    await tell(tx, actor, origin, 'blog.published', id, data);
    return getDraft(deps, tx, id, mayRun);
  });
}

/** @throws {Refusal} 404 */
export async function unpublish(
  deps: WriteDeps,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<PostDraft> {
  const mayRun = await scriptsRun(deps);
  return transaction(deps.db, async (tx) => {
    const row = await locked(tx, id);
    if (row.published_at !== null) {
      // Whoever publishes what they saw before is told of it first.
      await store.updatePost(tx, id, { published_at: null, version: row.version + 1 });
      await notePictures(tx, id);
      await deps.published.changed(tx, BLOG);
      await tell(tx, actor, origin, 'blog.unpublished', id, { slug: row.slug });
    }
    return getDraft(deps, tx, id, mayRun);
  });
}

/** Its address may be in others' pages also while it is off the site. */
async function wasPublic(tx: Tx, { id, published_at, announced_at }: PostRow): Promise<boolean> {
  if (published_at !== null || announced_at !== null) return true;
  return (await store.findLastPublication(tx, id)) !== undefined;
}

/** What must be there, and right, before the public may see it; by field. */
function unpublishable(draft: PostContent, mayRun: boolean): Record<string, string> {
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
    checkHead(draft.head_script, mayRun);
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
    // Written anew: nothing is kept for the public but what was read.
    head_script: writeHeadScripts(readHeadScripts(draft.head_script)),
  };
}
