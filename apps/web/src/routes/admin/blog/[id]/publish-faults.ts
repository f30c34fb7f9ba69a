/** What keeps a post from being published, as far as it is known in its form. Pure. */
import type { PostContent } from '@cambist/contract/blog';
import type { PostDraft } from '@cambist/contract/blog-writing';
import { textOf } from '@cambist/html/text';
import type { Failure } from '#lib/api.ts';
import { tagFaults, type PostForm } from '../post-form.ts';

type Field = keyof PostContent;

/** Fields that stop it before it is tried. */
export function standingFaults(
  form: Pick<PostForm, 'slug' | 'title' | 'body' | 'tags'>,
  { slug_fault: fault, content }: Pick<PostDraft, 'slug_fault' | 'content'>,
): readonly Field[] {
  const hasWrongSlug = fault !== null && content.slug === form.slug.trim();
  return [
    ...(hasWrongSlug ? (['slug'] as const) : []),
    ...(form.title.trim() !== '' ? [] : (['title'] as const)),
    ...(hasText(form.body) ? [] : (['body'] as const)),
    ...(tagFaults(form).length > 0 ? (['tags'] as const) : []),
  ];
}

function hasText(body: string): boolean {
  return textOf(body) !== '' || body.includes('<img');
}

/** With those that were refused, each once, as the form calls them. */
export function faultyLabels(
  labels: Readonly<Record<Field, string>>,
  standing: readonly Field[],
  errors: Failure['errors'] = {},
): readonly string[] {
  // The service names a tag by its place: `tags.3`.
  const refused = Object.keys(errors).map((path) => path.split('.')[0]);
  const all: ReadonlySet<string | undefined> = new Set([...standing, ...refused]);
  return Object.entries(labels).flatMap(([field, label]) => (all.has(field) ? [label] : []));
}
