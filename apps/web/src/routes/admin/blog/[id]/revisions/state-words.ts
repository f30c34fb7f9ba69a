/** What a revision says of its post at that moment. After `scheduled` comes the time. */
import type { PostState, Revision } from '@cambist/contract/blog-writing';
import { m } from '#lib/paraglide/messages.js';

type Words = Readonly<Record<PostState, () => string>>;

export const stateWords: Readonly<Record<Revision['reason'], Words>> = {
  saved: {
    draft: m.posts_revision_saved_draft,
    scheduled: m.posts_revision_saved_scheduled,
    published: m.posts_revision_saved_published,
  },
  published: {
    // None is: it is scheduled or public from then on.
    draft: m.posts_revision_published,
    scheduled: m.posts_revision_scheduled,
    published: m.posts_revision_published,
  },
  restored: {
    draft: m.posts_revision_restored_draft,
    scheduled: m.posts_revision_restored_scheduled,
    published: m.posts_revision_restored_published,
  },
};
