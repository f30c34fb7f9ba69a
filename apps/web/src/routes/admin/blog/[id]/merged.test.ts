import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { merged } from './merged.ts';

const kept: PostContent = {
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
// The service has tidied what was sent; nobody has changed it for that.
const sent = { ...kept, body: '<p>Words.</p><script></script>' };

describe('two texts of a post', () => {
  it('are put together where each has changed other fields', () => {
    const mine = { ...sent, title: 'Mine', tags: ['rates', 'mine'] };
    const theirs = { ...kept, body: '<p>Theirs.</p>', excerpt: 'Theirs' };
    assert.deepEqual(merged({ sent, kept, mine, theirs }), {
      ...theirs,
      title: 'Mine',
      tags: ['rates', 'mine'],
    });
  });

  it('are not where both have changed one, unless to the same', () => {
    const mine = { ...sent, title: 'Mine' };
    assert.equal(merged({ sent, kept, mine, theirs: { ...kept, title: 'Theirs' } }), null);
    const same = { ...kept, title: 'Mine', author: 'Theirs' };
    assert.deepEqual(merged({ sent, kept, mine, theirs: same }), same);
  });

  it('keep a picture with its own description', () => {
    const mine = { ...sent, cover: '/media/mine.jpg' };
    assert.equal(merged({ sent, kept, mine, theirs: { ...kept, cover_alt: 'Theirs' } }), null);
  });
});
