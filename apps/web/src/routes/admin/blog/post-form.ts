/** A post's content as its form has it: tags and addresses are lines of text there. Pure. */
import { maxTagLength, maxTags, refusedTagSign, type PostContent } from '@cambist/contract/blog';
import type { Failure } from '#lib/api.ts';

export interface PostForm extends Omit<PostContent, 'tags' | 'canonical'> {
  /** Between commas. */
  tags: string;
  canonical: string;
}

export function formOf(content: PostContent): PostForm {
  return { ...content, tags: content.tags.join(', '), canonical: content.canonical ?? '' };
}

/** Without tags that cannot be any, so that all the rest is saved; `tagFaults` tells of them. */
export function contentOf(form: PostForm): PostContent {
  const canonical = form.canonical.trim();
  return {
    ...form,
    tags: typedTags(form).filter(isTag).slice(0, maxTags),
    canonical: canonical === '' ? null : canonical,
  };
}

export type TagFault =
  | { readonly tag: string; readonly sign: string }
  | { readonly tag: string; readonly most: number }
  | { readonly left: readonly string[] };

/** Why tags that are typed do not go into the post. */
export function tagFaults(form: Pick<PostForm, 'tags'>): readonly TagFault[] {
  const typed = typedTags(form);
  const faults = typed.flatMap((tag): TagFault[] => {
    const sign = refusedTagSign(tag);
    if (sign !== null) return [{ tag, sign }];
    return isTag(tag) ? [] : [{ tag, most: maxTagLength }];
  });
  const left = typed.filter(isTag).slice(maxTags);
  return left.length === 0 ? faults : [...faults, { left }];
}

/** The commas of Arabic and Persian, of Chinese and Japanese, and what a list has in their stead: no tag has them. */
const tagMarks = /[,،、，;؛；]/;

function typedTags({ tags }: Pick<PostForm, 'tags'>): string[] {
  const typed = tags.split(tagMarks).map((tag) => tag.trim().replace(/\s+/g, ' ').normalize('NFC'));
  return [...new Set(typed.filter((tag) => tag !== ''))];
}

function isTag(tag: string): boolean {
  return refusedTagSign(tag) === null && [...tag].length <= maxTagLength;
}

const lines = [
  'slug',
  'title',
  'excerpt',
  'body',
  'cover_alt',
  'author',
  'tags',
  'canonical',
  'meta_title',
  'meta_description',
  'head_script',
] as const;

/**
 * What a form without script sends. Its cover cannot be chosen so: it stays as it was.
 * Tags are sent as they are typed: who types without script must be refused to know of it.
 */
export function sentContent(form: FormData): PostContent {
  const read = (name: string) => String(form.get(name) ?? '');
  const texts = Object.fromEntries(lines.map((name) => [name, read(name)]));
  const typed = { ...texts, cover: read('cover') || null } as PostForm;
  return { ...contentOf(typed), tags: typedTags(typed) };
}

/** What had been typed before a form without script was refused, over what the post is. */
export function typedForm(form: PostForm, values: Readonly<Record<string, string>>): PostForm {
  const typed = lines.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]]));
  return { ...form, ...Object.fromEntries(typed) } as PostForm;
}

/** A refusal of a save: the service names the fields inside `content`, the form has them by themselves. */
export function formFailure(failure: Failure): Failure {
  const errors = Object.entries(failure.errors).map(([path, messages]) => [
    path.replace(/^content\./, ''),
    messages.map((message) => message.replace(/\bcontent[. ](?=[a-z])/, '')),
  ]);
  return { ...failure, errors: Object.fromEntries(errors) as Failure['errors'] };
}

/** The messages for the tags: the service names each by its place. */
export function tagErrors(errors: Readonly<Record<string, readonly string[]>> | undefined) {
  const found = Object.entries(errors ?? {}).find(([path]) => /^tags(\.|$)/.test(path));
  return found?.[1];
}
