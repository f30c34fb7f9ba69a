import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formOf } from '../post-form.ts';
import { samplePost as content } from '../sample-post.ts';
import { faultyLabels, standingFaults } from './publish-faults.ts';

const labels = Object.fromEntries(
  Object.keys(content).map((field) => [field, field.toUpperCase()]),
) as Record<keyof typeof content, string>;

describe('what keeps a post from being published', () => {
  it('is a tag that is not kept, and an address that can be none or that another post has', () => {
    const form = { ...formOf(content), slug: 'Bad Slug ', tags: 'rates, a/b' };
    const saved = { slug_fault: 'invalid', content: { ...content, slug: 'Bad Slug' } } as const;
    assert.deepEqual(standingFaults(form, saved), ['slug', 'tags']);
    assert.deepEqual(standingFaults(form, { ...saved, slug_fault: 'taken' }), ['slug', 'tags']);
    const fine = { slug_fault: null, content };
    assert.deepEqual(standingFaults(formOf(content), fine), []);
  });

  it('is a title, or a text, of which nothing is seen', () => {
    const saved = { slug_fault: null, content };
    const empty = { ...formOf(content), title: ' ', body: '<p>&nbsp;</p>' };
    assert.deepEqual(standingFaults(empty, saved), ['title', 'body']);
    const picture = '<p><img src="/media/abcdefghij234567-640.webp" alt=""></p>';
    assert.deepEqual(standingFaults({ ...formOf(content), body: picture }, saved), []);
  });

  it('is no address that is typed over by now', () => {
    const invalid = { slug_fault: 'invalid', content: { ...content, slug: 'Bad Slug' } } as const;
    assert.deepEqual(standingFaults(formOf(content), invalid), []);
  });

  it('is called as in the form, each field once', () => {
    const errors = { 'tags.3': ['wrong'], title: ['missing'], publish_at: ['too far'] };
    assert.deepEqual(faultyLabels(labels, ['slug', 'tags'], errors), ['SLUG', 'TITLE', 'TAGS']);
    assert.deepEqual(faultyLabels(labels, []), []);
  });
});
