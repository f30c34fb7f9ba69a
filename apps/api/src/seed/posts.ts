/**
 * The demo desk's blog: posts that say something, written and published through
 * the blog's own doors, each at a time of its own.
 */
import { DAY, HOUR } from '#kernel/clock.ts';
import { publish } from '#features/content/blog/publication.ts';
import { createPost, saveDraft } from '#features/content/blog/writing.ts';
import type { Deps } from '#platform/deps.ts';
import { aGoodProof } from './posts/a-good-proof.ts';
import { aRatesMonth } from './posts/a-rates-month.ts';
import type { DemoPictures, DemoPost } from './posts/demo-post.ts';
import { fifteenMinutes } from './posts/fifteen-minutes.ts';
import { howAPaymentTravels } from './posts/how-a-payment-travels.ts';
import { whatARateCosts } from './posts/what-a-rate-costs.ts';

/** The oldest first. */
export const demoPosts = [
  whatARateCosts,
  fifteenMinutes,
  howAPaymentTravels,
  aGoodProof,
  aRatesMonth,
] as const;

const WRITING_MS = 2 * HOUR;

export async function seedPosts(
  deps: Pick<Deps, 'db' | 'clock' | 'published'>,
  pictures: DemoPictures,
): Promise<void> {
  const now = deps.clock().getTime();
  for (const post of demoPosts) {
    const published = new Date(now - post.daysAgo * DAY);
    const begun = new Date(published.getTime() - WRITING_MS);
    await write(
      { ...deps, clock: () => begun },
      { ...deps, clock: () => published },
      post,
      pictures,
    );
  }
}

type At = Pick<Deps, 'db' | 'clock' | 'published'>;

async function write(
  begun: At,
  published: At,
  { title, slug, excerpt, cover, author, tags, body }: DemoPost,
  pictures: DemoPictures,
): Promise<void> {
  const { id, version, content } = await createPost(begun, 'system', null, title);
  const picture = pictures[cover];
  const saved = await saveDraft(begun, 'system', id, {
    version,
    content: {
      ...content,
      slug,
      excerpt,
      author,
      tags: [...tags],
      cover: picture.path,
      cover_alt: picture.alt,
      body: body(pictures).trim(),
    },
  });
  await publish(published, 'system', null, id, {
    version: saved.version,
    publishAt: null,
    demandFresh: () => undefined,
  });
}
