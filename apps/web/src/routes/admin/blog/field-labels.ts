/** What the form calls the fields of a post, of which the last may hold scripts where they run. */
import type { PostContent } from '@cambist/contract/blog';
import { m } from '#lib/paraglide/messages.js';

export function fieldLabels(scriptsRun: boolean): Record<keyof PostContent, string> {
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
    head_script: scriptsRun ? m.posts_structured_scripts() : m.posts_structured(),
  };
}
