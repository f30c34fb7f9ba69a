import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonForScript, metadata, type PageSeo } from './seo.ts';

const site = {
  general: { site_name: 'Harbour' },
  seo: {
    title: 'Harbour, exact exchange',
    title_template: '%s | Harbour',
    meta_description: 'All of it.',
  },
  footer: { note: '', columns: [] },
  social: [],
  legal: { terms: null, privacy: null },
  has_how_it_works: true,
  has_blog: false,
  has_css: false,
};

describe('metadata', () => {
  it('puts the page into the template, also when its title holds a dollar sign', () => {
    const { title } = metadata({ title: 'Get $& back' }, site, 'https://h.test', '/terms');
    assert.equal(title, 'Get $& back | Harbour');
  });
  it('falls back to the settings and makes addresses absolute', () => {
    const meta = metadata({ image: '/card.png' }, site, 'https://h.test', '/terms');
    assert.equal(meta.title, 'Harbour, exact exchange');
    assert.equal(meta.description, 'All of it.');
    assert.equal(meta.canonical, 'https://h.test/terms');
    assert.equal(meta.image, 'https://h.test/card.png');
  });
  it('lets a page name its canonical address, and shows its own picture large', () => {
    const meta = metadata(
      { canonical: '/blog?page=2', image: '/a.jpg' },
      site,
      'https://h.test',
      '/blog',
    );
    assert.equal(meta.canonical, 'https://h.test/blog?page=2');
    assert.equal(meta.card, 'summary_large_image');
    const elsewhere = { canonical: 'https://other.test/first' };
    assert.equal(
      metadata(elsewhere, site, 'https://h.test', '/blog/a').canonical,
      'https://other.test/first',
    );
  });
  it('has the alternative text of the picture it shows', () => {
    const seo = { ...site.seo, og_image: '/site.jpg', og_image_alt: 'The desk' };
    const altOf = (page: PageSeo) =>
      metadata(page, { ...site, seo }, 'https://h.test', '/').imageAlt;
    assert.equal(altOf({}), 'The desk');
    assert.equal(altOf({ image: '/cover.jpg', imageAlt: 'Coins' }), 'Coins');
    assert.equal(altOf({ image: '/cover.jpg' }), '');
  });
  for (const bad of ['https://', 'https://[', 'https://x:abc', '//[']) {
    it(`leaves out unreadable addresses: ${bad}`, () => {
      const given = { ...site, seo: { ...site.seo, og_image: bad } };
      const meta = metadata({ canonical: bad }, given, 'https://h.test', '/blog/a');
      assert.deepEqual([meta.canonical, meta.image], ['https://h.test/blog/a', null]);
      const lost = metadata({}, site, 'https://h.test', bad).canonical;
      assert.ok(lost.startsWith('https://h.test/'), lost);
    });
  }
});

describe('jsonForScript', () => {
  it('cannot close the script element, and reads back the same', () => {
    const data = { text: '</script><script>alert(1)</script>\u2028&' };
    const json = jsonForScript(data);
    assert.doesNotMatch(json, /[<>&\u2028]/);
    assert.deepEqual(JSON.parse(json), data);
  });
});
