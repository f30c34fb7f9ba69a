/** What differs between two contents of a post, field by field. Pure. */
import type { PostContent } from '@cambist/contract/blog';
import { fieldDiffs, type FieldDiff } from '#lib/admin/text-diff/field-diff.ts';
import { readable } from '#lib/admin/text-diff/readable.ts';

/** As the form has them. */
export const fieldOrder = [
  'title',
  'body',
  'slug',
  'excerpt',
  'cover',
  'cover_alt',
  'author',
  'tags',
  'canonical',
  'meta_title',
  'meta_description',
  'head_script',
] as const satisfies readonly (keyof PostContent)[];

/** The fields that differ, in the order of the form. */
export function contentDiff(
  before: PostContent,
  after: PostContent,
): FieldDiff<keyof PostContent>[] {
  return fieldDiffs(fieldOrder, contentTexts(before), contentTexts(after));
}

/** Each field as people compare it. */
export function contentTexts(content: PostContent): Record<keyof PostContent, string> {
  return {
    ...content,
    body: readable(content.body),
    tags: content.tags.join(', '),
    cover: content.cover ?? '',
    canonical: content.canonical ?? '',
  };
}
