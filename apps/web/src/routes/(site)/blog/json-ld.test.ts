import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublicPost } from '@cambist/contract/blog';
import { postJsonLd } from './json-ld.ts';

const post: PublicPost = {
  id: '0190a1b2-0000-7000-8000-000000000001',
  slug: 'a-post',
  title: 'A post',
  excerpt: 'Short.',
  cover: '/media/bcdfghjkmnpqrstv-640.webp',
  cover_alt: 'A door',
  cover_fallback: '/media/bcdfghjkmnpqrstv-640.jpg',
  author: '',
  tags: ['Rates'],
  reading_minutes: 2,
  published_at: '2026-05-04T10:00:00.000Z',
  updated_at: '2026-05-01T00:00:00.000Z',
  body: '<p>x</p>',
  canonical: null,
  meta_title: '',
  meta_description: '',
  structured: [{ '@context': 'https://schema.org', '@type': 'FAQPage' }],
  related: [],
};
const site = {
  general: { site_name: 'Harbour', company_name: 'Harbour Ltd' },
  seo: {},
  footer: { note: '', columns: [] },
  social: [],
  legal: { terms: null, privacy: null },
  has_how_it_works: true,
  has_blog: true,
  has_css: false,
};
const common = { site, origin: 'https://h.test', blog: 'Blog', language: 'en' };

describe('the structured data of a post', () => {
  it('is a BlogPosting with absolute addresses, then the breadcrumbs, then what the author added', () => {
    const [posting, crumbs, added] = postJsonLd({ ...common, post }) as Record<string, unknown>[];
    assert.equal(posting?.['@type'], 'BlogPosting');
    assert.deepEqual(posting?.['image'], ['https://h.test/media/bcdfghjkmnpqrstv-640.jpg']);
    assert.equal(posting?.['mainEntityOfPage'], 'https://h.test/blog/a-post');
    assert.equal(posting?.['dateModified'], post.published_at);
    assert.deepEqual(
      posting?.['author'],
      posting?.['publisher'],
      'the desk, where nobody is named',
    );
    assert.deepEqual(posting?.['publisher'], {
      '@type': 'Organization',
      '@id': 'https://h.test/#organization',
      name: 'Harbour Ltd',
      url: 'https://h.test/',
    });
    assert.equal(crumbs?.['@type'], 'BreadcrumbList');
    assert.equal(added?.['@type'], 'FAQPage');
  });

  it('gives an author no address, since only the name is known', () => {
    const [posting] = postJsonLd({ ...common, post: { ...post, author: 'Ada' } });
    assert.ok(JSON.stringify(posting).includes('"author":{"@type":"Person","name":"Ada"}'));
  });

  it('names the canonical address, and leaves out what is missing', () => {
    const elsewhere = {
      ...post,
      canonical: 'https://first.test/a',
      cover_fallback: null,
      excerpt: '',
      tags: [],
    };
    const [posting] = postJsonLd({ ...common, post: elsewhere }) as Record<string, unknown>[];
    assert.equal(posting?.['mainEntityOfPage'], 'https://first.test/a');
    for (const key of ['image', 'description', 'keywords']) assert.ok(!(key in (posting ?? {})));
    const [unreadable] = postJsonLd({ ...common, post: { ...post, canonical: 'https://[' } });
    assert.ok(
      JSON.stringify(unreadable).includes('"mainEntityOfPage":"https://h.test/blog/a-post"'),
    );
  });
});
