/** What differs between two contents of a post, field by field. Pure. */
import type { PostContent } from '@cambist/contract/blog';
import { MarkupFault, readJsonLd, writeJsonLd } from '@cambist/html/json-ld';
import { textWithAddresses } from '@cambist/html/text';
import { fieldDiffs, type FieldDiff } from '#lib/console/revisions/text-diff.ts';

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
  const [old, fresh] = [contentTexts(before), contentTexts(after)];
  // Publishing writes structured data anew, which is no change of its author.
  const isSameHead = asPublished(before.head_script) === asPublished(after.head_script);
  const head_script = isSameHead ? old.head_script : fresh.head_script;
  return fieldDiffs(fieldOrder, old, { ...fresh, head_script }, { body: textWithAddresses });
}

/** Each field as a text. */
export function contentTexts(content: PostContent): Record<keyof PostContent, string> {
  return {
    ...content,
    tags: content.tags.join(', '),
    cover: content.cover ?? '',
    canonical: content.canonical ?? '',
  };
}

/** What publishing makes of structured data; what cannot be published stays as it is. */
function asPublished(head: string): string {
  try {
    return writeJsonLd(readJsonLd(head));
  } catch (error) {
    if (error instanceof MarkupFault) return head;
    throw error;
  }
}
