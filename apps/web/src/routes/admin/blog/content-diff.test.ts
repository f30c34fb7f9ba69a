import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { contentDiff } from './content-diff.ts';

const content: PostContent = {
  slug: 'a',
  title: 'A post',
  excerpt: '',
  body: '<p>One two three.</p>',
  cover: null,
  cover_alt: '',
  author: 'Ada',
  tags: ['Rates'],
  canonical: null,
  meta_title: '',
  meta_description: '',
  head_script: '',
};

describe('contentDiff', () => {
  it('says nothing where nothing differs', () => {
    assert.deepEqual(contentDiff(content, { ...content, tags: [...content.tags] }), []);
  });

  it('names the words that went and came, field by field', () => {
    const diff = contentDiff(content, {
      ...content,
      body: '<p>One 2 three.</p>',
      tags: ['Rates', 'Gold'],
    });
    assert.deepEqual(
      diff.map(({ field }) => field),
      ['body', 'tags'],
    );
    const words = (kind: string) =>
      diff[0]?.parts.filter((part) => part.kind === kind).map(({ text }) => text);
    assert.deepEqual(words('removed'), ['two']);
    assert.deepEqual(words('added'), ['2']);
  });

  it('has no parts for a text whose words are the same', () => {
    const [diff] = contentDiff(content, { ...content, body: '<p>One <u>two</u> three.</p>' });
    assert.deepEqual(diff, { field: 'body', parts: [] });
  });

  it('takes structured data that was written anew for the same', () => {
    const typed = '{ "@context": "https://schema.org", "text": "a </script>" }';
    const written = String.raw`[{"@context":"https://schema.org","text":"a \u003c/script\u003e"}]`;
    const [one, other] = [typed, written].map((head_script) => ({ ...content, head_script }));
    assert.ok(one && other);
    assert.deepEqual(contentDiff(one, other), []);
    assert.equal(contentDiff(one, { ...other, head_script: '{' }).length, 1);
  });

  it('sees a link that leads elsewhere though its words stayed', () => {
    const [diff] = contentDiff(
      { ...content, body: '<p><a href="/a">x</a></p>' },
      { ...content, body: '<p><a href="/b">x</a></p>' },
    );
    assert.ok(diff?.parts.some(({ kind, text }) => kind === 'added' && text.includes('b')));
  });
});
