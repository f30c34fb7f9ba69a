import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { contentOf, errorsAt, formOf, invalidTags, restoredForm, tagErrors } =
  await import('./post-form.ts');

const content: PostContent = {
  slug: 'a-post',
  title: 'A post',
  excerpt: '',
  body: '<p>x</p>',
  cover: '/media/abcdefgh12345678-640.webp',
  cover_alt: 'Notes',
  author: 'Ada',
  tags: ['Rates', 'C++ & more'],
  canonical: null,
  meta_title: '',
  meta_description: '',
  head_script: '',
};

describe('the form of a post', () => {
  it('gives back what it was made of', () => {
    assert.deepEqual(contentOf(formOf(content)), content);
  });

  it('reads tags however they are typed', () => {
    const form = { ...formOf(content), tags: ' Rates,, gold   coins ,Rates,', canonical: ' ' };
    assert.deepEqual(contentOf(form).tags, ['Rates', 'gold coins']);
    assert.equal(contentOf(form).canonical, null);
    // The commas that keyboards of other scripts have.
    const marked = { ...form, tags: 'نرخ، ارز؛ طلا、外汇，汇率; gold' };
    assert.deepEqual(contentOf(marked).tags, ['نرخ', 'ارز', 'طلا', '外汇', '汇率', 'gold']);
    assert.deepEqual(invalidTags(marked), []);
    assert.deepEqual(contentOf({ ...form, tags: 'a, ,' }).tags, ['a']);
    // A letter and its mark, as some keyboards type it, are one tag with the letter that has it.
    assert.deepEqual(contentOf({ ...form, tags: 'Cafe\u0301, Caf\u00e9' }).tags, ['Caf\u00e9']);
  });

  it('keeps tags of every script, and lets no other keep the rest from being saved', () => {
    const good = [
      'Traveller’s cheques',
      "d'or",
      'C#',
      'Fees (new)',
      'विनिमय',
      'می\u200cخواهم',
      'צה״ל',
      '中・日',
    ];
    const form = { ...formOf(content), tags: [...good, '24/7', '#gold', 'a'.repeat(41)].join() };
    assert.deepEqual(contentOf(form).tags, good);
    assert.deepEqual(invalidTags(form), ['24/7', '#gold', 'a'.repeat(41)]);
    const many = { ...form, tags: 'a,b,c,d,e,f,g,h,i,j,k,l,m,n' };
    assert.equal(contentOf(many).tags.length, 12);
    assert.deepEqual(invalidTags(many), ['m', 'n']);
  });

  it('restores the unsaved fields of a copy and leaves the others as saved', () => {
    const saved = formOf(content);
    const copy = { title: 'Typed', cover: null, tags: ['a'], unknown: 'x' };
    assert.deepEqual(restoredForm(saved, copy), { ...saved, title: 'Typed', cover: null });
    assert.deepEqual(restoredForm(saved, 'x'), saved);
  });

  it('finds the error of a field, however the refusal names it', () => {
    const errors = { 'content.canonical': ['wrong'], title: ['A post needs a title.'] };
    assert.deepEqual(errorsAt(errors, 'canonical', 'Original'), ['wrong']);
    assert.deepEqual(errorsAt(errors, 'title', 'Title'), ['A post needs a “Title”.']);
    assert.equal(errorsAt(errors, 'body', 'Text'), undefined);
  });

  it('finds the message of one tag among them', () => {
    assert.deepEqual(tagErrors({ 'tags.3': ['wrong'] }), ['wrong']);
    assert.equal(tagErrors({ title: ['wrong'] }), undefined);
  });
});
