/** The form of a post: tags and addresses are lines of text in it. */
import { maxTagLength, maxTags, refusedTagSign, type PostContent } from '@cambist/contract/blog';
import { messagesAt, type FieldErrors } from '#lib/forms/form-words.ts';
import { m } from '#lib/paraglide/messages.js';

export interface PostForm extends Omit<PostContent, 'tags' | 'canonical'> {
  /** Between commas. */
  tags: string;
  canonical: string;
}

export function formOf(content: PostContent): PostForm {
  return { ...content, tags: content.tags.join(', '), canonical: content.canonical ?? '' };
}

/** Without invalid tags, so that the rest is saved. */
export function contentOf(form: PostForm): PostContent {
  const canonical = form.canonical.trim();
  return {
    ...form,
    tags: typedTags(form).filter(isTag).slice(0, maxTags),
    canonical: canonical === '' ? null : canonical,
  };
}

/** The typed tags that are not saved: invalid ones, and those beyond the limit. */
export function invalidTags(form: Pick<PostForm, 'tags'>): string[] {
  const typed = typedTags(form);
  return [...typed.filter((tag) => !isTag(tag)), ...typed.filter(isTag).slice(maxTags)];
}

/** The commas and semicolons of all scripts: no tag contains them. */
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

export function fieldLabels(): Record<keyof PostContent, string> {
  return {
    slug: m.posts_address(),
    title: m.posts_title_field(),
    excerpt: m.posts_excerpt(),
    body: m.ui_text(),
    cover: m.posts_cover(),
    cover_alt: m.posts_cover_alt(),
    author: m.posts_author(),
    tags: m.blog_tags(),
    canonical: m.posts_canonical(),
    meta_title: m.posts_meta_title(),
    meta_description: m.posts_meta_description(),
    head_script: m.posts_structured(),
  };
}
