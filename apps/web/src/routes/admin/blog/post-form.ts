/** A post's content as its form has it: tags and addresses are lines of text there. Pure. */
import { maxTagLength, maxTags, refusedTagSign, type PostContent } from '@cambist/contract/blog';
import { messagesAt, type FieldErrors } from '#lib/forms/form-words.ts';

export interface PostForm extends Omit<PostContent, 'tags' | 'canonical'> {
  /** Between commas. */
  tags: string;
  canonical: string;
}

export function formOf(content: PostContent): PostForm {
  return { ...content, tags: content.tags.join(', '), canonical: content.canonical ?? '' };
}

/** Without invalid tags, so that the rest is saved; `tagFaults` names them. */
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

/** The unsaved form of an earlier visit; fields that it lacks are as they are saved. */
export function restoredForm(saved: PostForm, copy: unknown): PostForm {
  const typed = Object.entries(Object(copy) as object).filter(
    ([name, value]) =>
      Object.hasOwn(saved, name) &&
      (typeof value === 'string' || (name === 'cover' && value === null)),
  );
  return { ...saved, ...Object.fromEntries(typed) };
}

/** Saving names the fields inside `content`, publishing by themselves. */
export function errorsAt(errors: FieldErrors | undefined, field: string, label: string) {
  return messagesAt(errors, field, label) ?? messagesAt(errors, `content.${field}`, label);
}

/** The messages for the tags: the service names each by its place. */
export function tagErrors(errors: Readonly<Record<string, readonly string[]>> | undefined) {
  const found = Object.entries(errors ?? {}).find(([path]) => /^(content\.)?tags(\.|$)/.test(path));
  return found?.[1];
}
