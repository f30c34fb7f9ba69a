import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { robotsText, siteMapIndex, urlset } from './site-map.ts';

const origin = 'https://desk.test';
describe('the site map', () => {
  it('names each page with its address and when it changed', () => {
    const text = urlset(origin, [
      { path: '/', changed: null },
      { path: '/blog/a-post', changed: '2026-03-01T10:00:00.000Z' },
      { path: '/blog/tag/R%26D', changed: null },
    ]);
    assert.match(text, /<loc>https:\/\/desk\.test\/blog\/a-post<\/loc><lastmod>2026-03-01T10/);
    assert.doesNotMatch(text, /hreflang/);
  });

  it('names each page in all languages where there are several', () => {
    const alternates = (path: string) => [
      { language: 'en', path },
      { language: 'de', path: `/de${path}?a=1&b=2` },
    ];
    const text = urlset(origin, [{ path: '/rates', changed: null }], alternates);
    assert.match(
      text,
      /<xhtml:link rel="alternate" hreflang="de" href="https:\/\/desk\.test\/de\/rates\?a=1&amp;b=2"\/>/,
    );
  });

  it('stays far below 50 MB a file, however long the addresses are', () => {
    const longest = `/blog/${'a'.repeat(80)}`;
    const languages = ['en', 'de', 'fr', 'es', 'uk', 'ar', 'zh', 'pt', 'tr', 'fa'];
    const pages = Array.from({ length: 5000 }, () => ({
      path: longest,
      changed: '2026-03-01T10:00:00.000Z',
    }));
    const text = urlset(`https://${'d'.repeat(63)}.example.com`, pages, (path) =>
      languages.map((language) => ({ language, path: `/${language}${path}` })),
    );
    assert.ok(Buffer.byteLength(text) < 52_428_800 / 2);
  });

  it('has an index', () => {
    const text = siteMapIndex(origin, [
      { path: '/sitemap-1.xml', changed: null },
      { path: '/sitemap-2.xml', changed: '2026-03-01T10:00:00.000Z' },
    ]);
    assert.match(text, /<sitemap><loc>https:\/\/desk\.test\/sitemap-1\.xml<\/loc><\/sitemap>/);
    assert.match(text, /sitemap-2\.xml<\/loc><lastmod>2026-03-01T10:00:00\.000Z<\/lastmod>/);
  });
});

describe('robots.txt', () => {
  const extra = { disallow: ['/old/'], allow: ['/old/this'] };

  it('keeps crawlers out of personal pages, and names the site map', () => {
    const lines = robotsText(origin, { noindex: false, ...extra }).split('\n');
    for (const line of [
      'Disallow: /admin/',
      'Disallow: /account$',
      'Disallow: /status/',
      'Disallow: /old/',
      'Allow: /old/this',
    ]) {
      assert.ok(lines.includes(line), line);
    }
    assert.equal(lines[0], 'User-agent: *');
    assert.ok(lines.includes('Sitemap: https://desk.test/sitemap.xml'));
    // A legal page may start with the same letters.
    assert.ok(!lines.includes('Disallow: /account'));
  });

  it('allows crawling a site that must not be indexed, so that crawlers see `noindex`', () => {
    const text = robotsText(origin, { noindex: true, ...extra });
    assert.doesNotMatch(text, /Sitemap|Disallow: \/$/m);
  });
});
