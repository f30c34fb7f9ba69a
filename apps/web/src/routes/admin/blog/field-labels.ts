/** The labels of a post's fields. */
import type { PostContent } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';

export function fieldLabels(): Record<keyof PostContent, string> {
  return {
    slug: m.posts_address(),
    title: m.posts_title_field(),
    excerpt: m.posts_excerpt(),
    body: m.posts_body(),
    cover: m.posts_cover(),
    cover_alt: m.posts_cover_alt(),
    author: m.posts_author(),
    tags: m.posts_tags(),
    canonical: m.posts_canonical(),
    meta_title: m.posts_meta_title(),
    meta_description: m.posts_meta_description(),
    head_script: m.posts_structured(),
  };
}
