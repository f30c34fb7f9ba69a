import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteMapParts } from '@cambist/contract/site-wide';
import { standIn } from '#lib/test/stand-in.ts';
import type { ServerCall } from '#lib/server/relay.ts';

standIn({
  '#lib/paraglide/runtime.js':
    "export const locales = ['en']; export const localizeHref = (path) => path;",
});
const { siteMapFile, wholeSiteMap } = await import('./listed-pages.ts');

const changed = '2026-03-01T10:00:00.000Z';

/** The API of a desk with this many posts, 5,000 in a part. */
function deskOf(posts: number): ServerCall {
  const slugs = Array.from({ length: posts }, (_, n) => `post-${String(n).padStart(5, '0')}`);
  const part = (after: string | undefined) => {
    const from = after === undefined ? 0 : slugs.indexOf(after) + 1;
    return slugs.slice(from, from + 5000);
  };
  const answers: Readonly<Record<string, (query?: { after?: string }) => unknown[]>> = {
    '/api/public/blog-address-parts': () =>
      Array.from({ length: Math.ceil(posts / 5000) }, (_, index) => ({
        after: slugs[index * 5000 - 1] ?? null,
        posts: Math.min(5000, posts - index * 5000),
        updated_at: changed,
      })),
    '/api/public/blog-addresses': (query) =>
      part(query?.after).map((slug) => ({ slug, updated_at: changed })),
    '/api/public/blog-tags': () => [{ tag: 'R&D desk', posts }],
    '/api/public/rates-showcase': () => [{ pair: 'usd-to-eur' }],
    '/api/legal-pages': () => [{ slug: 'terms', updated_at: changed }],
  };
  return (async ({ path }: { path: string }, inputs?: { query?: { after?: string } }) => ({
    data: answers[path]?.(inputs?.query),
  })) as unknown as ServerCall;
}

const asked = (posts: number, listed: readonly (typeof siteMapParts)[number][] = siteMapParts) => ({
  call: deskOf(posts),
  origin: 'https://desk.test',
  listed,
});
const addresses = (text: string | null) =>
  [...(text ?? '').matchAll(/<loc>https:\/\/desk\.test([^<]*)<\/loc>/g)].map(([, path]) => path);

describe('the site map', () => {
  it('is one file while there are few pages', async () => {
    assert.deepEqual(addresses(await wholeSiteMap(asked(2))), [
      '/',
      '/rates',
      '/rates/usd-to-eur',
      '/blog',
      '/blog/tag/R%26D%20desk',
      '/terms',
      '/contact',
      '/blog/post-00000',
      '/blog/post-00001',
    ]);
  });

  it('is an index and several files when there are many, with each page once', async () => {
    const many = asked(10_001);
    const index = await wholeSiteMap(many);
    assert.match(index ?? '', /<sitemapindex/);
    const files = ['/sitemap-1.xml', '/sitemap-2.xml', '/sitemap-3.xml', '/sitemap-4.xml'];
    assert.deepEqual(addresses(index), files);
    const all: (string | undefined)[] = [];
    for (const number of [1, 2, 3, 4]) {
      const found = addresses(await siteMapFile(many, number));
      assert.ok(found.length > 0 && found.length <= 5000, `${number}: ${found.length}`);
      all.push(...found);
    }
    assert.equal(all.length, 10_001 + 7);
    assert.equal(new Set(all).size, all.length);
    assert.equal(await siteMapFile(many, 5), null);
  });

  it('lists what the settings ask for', async () => {
    assert.deepEqual(addresses(await wholeSiteMap(asked(3, ['contact', 'home']))), [
      '/',
      '/contact',
    ]);
    assert.equal(await wholeSiteMap(asked(3, [])), null);
    assert.equal(await siteMapFile(asked(3, ['posts']), 1), null);
    // A blog without posts is not listed.
    assert.equal(await wholeSiteMap(asked(0, ['blog', 'posts'])), null);
    const index = await wholeSiteMap(asked(5001, ['posts']));
    assert.deepEqual(addresses(index), ['/sitemap-2.xml', '/sitemap-3.xml']);
  });
});
