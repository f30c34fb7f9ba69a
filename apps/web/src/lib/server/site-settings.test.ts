/** The settings that pages need, fetched in the site's own name. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { it } from 'node:test';
import { standInApi } from '#lib/test/stand-in.ts';

const seen: IncomingHttpHeaders[] = [];
const anchor = (to: string) => ({ label: to, href: `/${to}` });
await standInApi(({ url, headers }, response) => {
  seen.push(headers);
  const home = {
    footer: {
      note: 'By the harbour',
      links_enabled: true,
      social_enabled: true,
      columns: [
        {
          title: 'Exchange',
          links: [anchor('rates'), anchor('#how-it-works'), anchor('#newsletter')],
        },
        { title: 'Help', links: [anchor('#questions')] },
        { title: 'Legal', links: [anchor('terms'), anchor('privacy'), anchor('shop')] },
        { title: 'Elsewhere', links: [{ label: 'privacy', href: 'http://site.test/privacy' }] },
      ],
    },
    social: [
      { network: 'mastodon', href: 'https://social.test/desk' },
      { network: 'x', href: 'https://site.test/privacy' },
    ],
    stats: { items: [] },
    how_it_works: { enabled: false, steps: [{ title: 'one', text: '' }] },
    features: { items: [] },
    testimonials: { items: [] },
    faq: { enabled: true, items: [] },
    newsletter: { enabled: true },
  };
  const general = { terms_slug: 'our-terms', privacy_slug: 'privacy' };
  const settings = { general, seo: {}, 'home-page': home, 'custom-css': { css: '' } };
  const pages = [{ slug: 'rules', redirects: ['terms', 'our-terms'] }];
  const replies: Readonly<Record<string, object>> = {
    '/api/settings': { data: settings },
    '/api/legal-pages': { data: pages, withdrawn: ['privacy'] },
  };
  const reply = replies[url ?? ''] ?? { data: [], meta: { total: 1 } };
  response.writeHead(200, { 'content-type': 'application/json', etag: '"a"' });
  response.end(JSON.stringify(reply));
});
const { siteSettings, siteWide } = await import('./site-settings.ts');

it('the site fetches settings under its own rate limit, not a visitor’s', async () => {
  const { footer, has_blog } = await siteSettings();
  assert.deepEqual([footer.note, has_blog], ['By the harbour', true]);
  assert.equal(seen.length, 3);
  for (const headers of seen) {
    for (const name of ['cookie', 'x-forwarded-for', 'origin', 'referer'])
      assert.equal(headers[name], undefined, name);
  }
});

it('links to sections of the home page that are off or empty are removed', async () => {
  const { footer, has_how_it_works } = await siteSettings();
  assert.deepEqual(footer.columns, [
    { title: 'Exchange', links: [anchor('rates'), anchor('#newsletter')] },
    { title: 'Legal', links: [{ label: 'terms', href: '/rules' }, anchor('shop')] },
  ]);
  assert.equal(has_how_it_works, false);
});

it('links to legal pages follow the page, and go when it is unpublished', async () => {
  const { legal, social } = await siteSettings();
  assert.deepEqual(legal, { terms: '/rules', privacy: null });
  assert.deepEqual(social, [{ network: 'mastodon', href: 'https://social.test/desk' }]);
});

it('a console page of a session gets the latest settings, a guest does not', async (t) => {
  // On a busy machine half a second passes meanwhile, and the settings are asked for again.
  const now = performance.now();
  t.mock.method(performance, 'now', () => now);
  const questionsFor = async (hasSession: boolean) => {
    const before = seen.length;
    for (let page = 0; page < 3; page += 1) await siteWide({ isConsole: true, hasSession });
    return seen.length - before;
  };
  assert.equal(await questionsFor(true), 3);
  assert.equal(await questionsFor(false), 0);
});
