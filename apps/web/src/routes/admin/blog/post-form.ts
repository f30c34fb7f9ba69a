/** A post's content as its form has it: tags and addresses are lines of text there. Pure. */
import type { PostContent } from '@cambist/contract/blog';
import type { Failure } from '#lib/api.ts';

export interface PostForm extends Omit<PostContent, 'tags' | 'canonical'> {
  /** Between commas. */
  tags: string;
  canonical: string;
}

export function formOf(content: PostContent): PostForm {
  return { ...content, tags: content.tags.join(', '), canonical: content.canonical ?? '' };
}

export function contentOf(form: PostForm): PostContent {
  const tags = form.tags.split(',').map((tag) => tag.trim().replace(/\s+/g, ' '));
  const canonical = form.canonical.trim();
  return {
    ...form,
    tags: [...new Set(tags.filter((tag) => tag !== ''))],
    canonical: canonical === '' ? null : canonical,
  };
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

/** What a form without script sends. Its cover cannot be chosen so: it stays as it was. */
export function sentContent(form: FormData): PostContent {
  const read = (name: string) => String(form.get(name) ?? '');
  const texts = Object.fromEntries(lines.map((name) => [name, read(name)]));
  return contentOf({ ...texts, cover: read('cover') || null } as PostForm);
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
