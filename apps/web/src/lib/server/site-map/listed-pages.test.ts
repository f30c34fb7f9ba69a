import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteMapParts } from '@cambist/contract/site-wide';
import { standIn } from '#lib/test/stand-in.ts';
import type { ServerCall } from '#lib/server/relay.ts';

standIn({
  '#lib/paraglide/runtime.js':
    "export const locales = ['en']; export const localizeHref = (path) => path;",
});
const { siteMap } = await import('./listed-pages.ts');

const changed = '2026-03-01T10:00:00.000Z';

/** The API of a desk with this many posts. */
function deskOf(posts: number): ServerCall {
  const slugs = Array.from({ length: posts }, (_, n) => `post-${n}`);
  const answers: Readonly<Record<string, unknown[]>> = {
    '/api/public/blog-addresses': slugs.map((slug) => ({ slug, updated_at: changed })),
    '/api/public/blog-tags': [{ tag: 'R&D desk', posts }],
    '/api/public/rates-showcase': [{ pair: 'usd-to-eur' }],
    '/api/legal-pages': [{ slug: 'terms', updated_at: changed }],
  };
  return (async ({ path }: { path: string }) => ({
    data: answers[path],
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
  it('has each page once, the home page first', async () => {
    assert.deepEqual(addresses(await siteMap(asked(2))), [
      '/',
      '/rates',
      '/rates/usd-to-eur',
      '/blog',
      '/blog/post-0',
      '/blog/post-1',
      '/blog/tag/R%26D%20desk',
      '/terms',
      '/contact',
    ]);
  });

  it('lists what the settings ask for', async () => {
    assert.deepEqual(addresses(await siteMap(asked(3, ['contact', 'home']))), ['/', '/contact']);
    assert.equal(await siteMap(asked(3, [])), null);
    // A blog without posts is not listed.
    assert.equal(await siteMap(asked(0, ['blog', 'posts'])), null);
  });
});
