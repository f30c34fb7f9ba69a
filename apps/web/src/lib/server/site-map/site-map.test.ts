import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { robotsText, urlset } from './site-map.ts';

const origin = 'https://desk.test';
describe('the site map', () => {
  it('names each page with its address and when it changed', () => {
    const text = urlset(origin, [
      { path: '/', changed: null },
      { path: '/blog/a-post', changed: '2026-03-01T10:00:00.000Z' },
      { path: '/blog/tag/R%26D', changed: null },
    ]);
    assert.match(text, /<loc>https:\/\/desk\.test\/blog\/a-post<\/loc><lastmod>2026-03-01T10/);
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
