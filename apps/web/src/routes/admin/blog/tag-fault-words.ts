/** Why tags that are typed do not go into the post, in words; nothing where all do. */
import { isVisible } from '@cambist/contract/visible-text';
import { m } from '#lib/paraglide/messages.js';
import { tagFaults, type PostForm } from './post-form.ts';

export function tagFaultWords(form: Pick<PostForm, 'tags'>): readonly string[] | undefined {
  const words = tagFaults(form).map((fault) => {
    if ('left' in fault) return m.posts_tag_many({ tags: fault.left.join(', ') });
    const tag = fault.tag;
    if ('most' in fault) return m.posts_tag_long({ tag, most: fault.most });
    return isVisible(fault.sign)
      ? m.posts_tag_sign({ tag, sign: fault.sign })
      : m.posts_tag_unseen({ tag });
  });
  return words.length === 0 ? undefined : words;
}
