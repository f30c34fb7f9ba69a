import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import {
  contentOf,
  formFailure,
  formOf,
  sentContent,
  tagErrors,
  tagFaults,
  typedForm,
} from './post-form.ts';

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
    assert.deepEqual(tagFaults(marked), []);
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
    assert.deepEqual(tagFaults(form), [
      { tag: '24/7', sign: '/' },
      { tag: '#gold', sign: '#' },
      { tag: 'a'.repeat(41), most: 40 },
    ]);
    const many = { ...form, tags: 'a,b,c,d,e,f,g,h,i,j,k,l,m,n' };
    assert.equal(contentOf(many).tags.length, 12);
    assert.deepEqual(tagFaults(many), [{ left: ['m', 'n'] }]);
    const sent = new FormData();
    sent.set('tags', '24/7');
    assert.deepEqual(sentContent(sent).tags, ['24/7']);
  });

  it('is read whole where it was sent without script', () => {
    const sent = new FormData();
    for (const [name, value] of Object.entries(formOf(content))) sent.set(name, value ?? '');
    assert.deepEqual(sentContent(sent), content);
  });

  it('shows again what was typed before it was refused', () => {
    const form = typedForm(formOf(content), { title: 'Typed', tags: 'a, b', version: '3' });
    assert.deepEqual(form, { ...formOf(content), title: 'Typed', tags: 'a, b' });
  });

  it('finds its fields in a refusal', () => {
    const refused = {
      'content.canonical': ['The content canonical format is invalid.'],
      title: ['A post needs a title.'],
    };
    const failure = {
      status: 422,
      code: 'validation_failed',
      message: '',
      errors: refused,
      request_id: null,
    };
    assert.deepEqual(formFailure(failure).errors, {
      canonical: ['The canonical format is invalid.'],
      title: ['A post needs a title.'],
    });
  });

  it('finds the message of one tag among them', () => {
    assert.deepEqual(tagErrors({ 'tags.3': ['wrong'] }), ['wrong']);
    assert.equal(tagErrors({ title: ['wrong'] }), undefined);
  });
});
