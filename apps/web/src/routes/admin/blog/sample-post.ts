/** For tests: what somebody wrote, tidied and without a picture. */
import type { PostContent } from '@cambist/contract/blog';

export const samplePost: PostContent = {
  slug: 'a-post',
  title: 'A post',
  excerpt: '',
  body: '<p>Words.</p>',
  cover: null,
  cover_alt: '',
  author: 'Ines',
  tags: ['rates'],
  canonical: null,
  meta_title: '',
  meta_description: '',
  head_script: '',
};
