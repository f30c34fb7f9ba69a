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
    assert.deepEqual(contentDiff(content, { ...content, body: '<p>One two three.</p> ' }), []);
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

  it('names a body whose words are the same and set differently, without words', () => {
    const lists = ['<ol start="3"><li>a</li></ol>', '<ol><li>a</li></ol>', '<ul><li>a</li></ul>'];
    for (const body of lists.slice(1)) {
      const [diff] = contentDiff({ ...content, body: String(lists[0]) }, { ...content, body });
      assert.ok(diff?.parts.some(({ kind }) => kind === 'added'));
    }
    assert.deepEqual(contentDiff(content, { ...content, body: '<p>One <u>two</u> three.</p>' }), [
      { field: 'body', parts: [] },
    ]);
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

  it('cuts what stayed in its middle, never what changed', () => {
    const long = 'sentence '.repeat(400);
    const [diff] = contentDiff(
      { ...content, body: `<p>${long}old${long}</p>` },
      { ...content, body: `<p>${long}new${long}</p>` },
    );
    const text = diff?.parts.map((part) => part.text).join('') ?? '';
    assert.ok(text.length < 600 && text.includes('old') && text.includes('new'));
    assert.match(text, /^(?:(?:old|new)?sentence|…|\s)+$/);
  });
});
