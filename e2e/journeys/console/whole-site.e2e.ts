/**
 * What an admin changes on the whole site, as visitors and crawlers meet it: custom CSS, what search
 * engines read, feeds, text from right to left, and a closed site.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { validateXML } from 'xmllint-wasm';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { callApi, changeSettings, eventuallyShows, fetchPage, textOf } from '../../support/api.ts';
import { openSettings, saveSettings } from '../../support/settings-form.ts';
import { newAdmin, rememberSettings, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, screen, signInAsAdmin } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;
let admin: Page;
let restore: () => Promise<void>;

before(async () => {
  admin = await newAdmin(shared);
  const slugs = ['general', 'custom-css', 'sitemap-robots', 'seo'];
  restore = await rememberSettings(shared, slugs);
});
after(() => restore());

const open = (slug: string) => openSettings(admin, desk, slug);

/** Validates XML by one of the schemas of `e2e/schemas`. */
async function mistakesIn(xml: string, schema: string): Promise<string[]> {
  const file = async (fileName: string) => ({
    fileName,
    contents: await readFile(new URL(`../../schemas/${fileName}`, import.meta.url), 'utf8'),
  });
  const isRelaxed = schema.endsWith('.rng');
  const { valid, errors } = await validateXML({
    xml: [{ fileName: 'document.xml', contents: xml }],
    extension: isRelaxed ? 'relaxng' : 'schema',
    schema: [await file(schema)],
    preload: isRelaxed ? [] : [await file('xhtml-link.xsd')],
  });
  return valid ? [] : errors.map(({ message }) => message);
}

describe('custom CSS', () => {
  const rule = 'main { outline: 7px solid rgb(1, 2, 3) }';
  const outline = (main: Locator) =>
    main.evaluate(
      (element) => element.ownerDocument.defaultView.getComputedStyle(element).outlineWidth,
    );

  it('It applies to the public pages, not where users sign in and admins work, and loads nothing from elsewhere', async () => {
    await open('custom-css');
    await admin.locator('[name=css]').fill(rule);
    await saveSettings(admin);
    await eventuallyShows(desk, '/', (html) => html.includes('7px solid'));
    const visitor = await newVisitor(browser);
    const main = visitor.locator('main');
    for (const path of ['/', '/rates', '/blog', '/no-such-page']) {
      await visitor.goto(desk.web + path);
      assert.equal(await outline(main), '7px', path);
    }
    // From one to the other without a new load, and back.
    await visitor.goto(`${desk.web}/contact`, { waitUntil: 'networkidle' });
    await visitor.locator('a[href="/signin"]').last().click();
    await visitor.waitForURL(/\/signin$/);
    await eventually('It is gone', async () => (await outline(main)) !== '7px');
    await visitor.goBack();
    await eventually('It is back', async () => (await outline(main)) === '7px');
    for (const [page, path] of [
      [visitor, '/signup'],
      [admin, '/admin'],
    ] as const) {
      await page.goto(desk.web + path, { waitUntil: 'networkidle' });
      assert.equal(await page.locator('#custom-style').count(), 0, path);
    }

    // The policy blocks a picture from another site.
    await changeSettings(admin.context(), desk, 'custom-css', (value) => ({
      ...value,
      css: 'main { background: url(https://elsewhere.test/pixel.png) }',
    }));
    await eventuallyShows(desk, '/contact', (html) => html.includes('elsewhere.test'));
    // Source, since these tests know no DOM.
    await visitor.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
      document.documentElement.dataset.blocked = event.effectiveDirective + ' ' + event.blockedURI;
    });`);
    await visitor.goto(`${desk.web}/contact`);
    await visitor.locator('html[data-blocked^="img-src https://elsewhere.test"]').waitFor();
  });
});

interface Post {
  readonly id: string;
  readonly version: number;
  readonly content: { readonly slug: string };
}

describe('what machines and readers find', () => {
  it('The site map lists pages that answer, and the whole site can be kept out of search engines', async () => {
    const map = await fetchPage(desk, '/sitemap.xml');
    const text = await map.text();
    assert.deepEqual(await mistakesIn(text, 'sitemap.xsd'), []);
    for (const path of ['/', '/rates', '/blog', '/blog/what-a-rate-really-costs', '/terms'])
      assert.ok(text.includes(`<loc>${desk.web}${path}</loc>`), path);
    for (const [, address = ''] of text.matchAll(/<loc>([^<]+)<\/loc>/g)) {
      const answer = await fetch(address, { redirect: 'manual' });
      assert.equal(answer.status, 200, address);
      assert.equal(answer.headers.get('x-robots-tag'), null, address);
      const canonical = /<link rel="canonical" href="([^"]+)"/.exec(await answer.text())?.[1];
      assert.equal(canonical, address);
    }

    await open('sitemap-robots');
    await admin.getByRole('checkbox', { name: 'Posts', exact: true }).uncheck();
    await admin.getByRole('checkbox', { name: 'Tags of the blog' }).check();
    await admin.getByRole('button', { name: 'Add a path' }).first().click();
    await admin.locator('[name="disallow.0"]').fill('not a path');
    await admin.getByRole('button', { name: 'Save changes' }).click();
    await admin.getByText('must begin with /.').first().waitFor();
    await admin.locator('[name="disallow.0"]').fill('/rates?q=');
    await saveSettings(admin);
    await eventuallyShows(
      desk,
      '/sitemap.xml',
      (xml) => xml.includes('/blog/tag/') && !xml.includes('what-a-rate-really-costs'),
    );
    assert.match(await textOf(desk, '/robots.txt'), /^Disallow: \/rates\?q=$/m);

    const hide = admin.getByRole('switch', { name: 'Keep the whole site out of search engines' });
    const robots = async () => (await fetchPage(desk, '/rates')).headers.get('x-robots-tag');
    assert.match(await textOf(desk, '/robots.txt'), /^Sitemap: /m);
    await open('sitemap-robots');
    await hide.check();
    await admin.getByRole('button', { name: 'Save changes' }).click();
    await saveSettings(admin, () => admin.getByRole('button', { name: 'Keep it out' }).click());
    await eventually('It is out of search engines', async () => (await robots()) === 'noindex');
    assert.match(await textOf(desk, '/rates'), /<meta name="robots" content="noindex"/);
    assert.equal((await fetchPage(desk, '/sitemap.xml')).status, 404);
    assert.doesNotMatch(await textOf(desk, '/robots.txt'), /Sitemap/);
    await admin.goto(`${desk.web}/admin`);
    await admin.getByText('Search engines are asked not to index the site.').waitFor();
    await open('sitemap-robots');
    await hide.uncheck();
    await saveSettings(admin);
    await eventually('It is in search engines', async () => (await robots()) === null);
  });

  it('Every public page describes itself in the admin’s words, and private ones are not indexed', async () => {
    await open('seo');
    await admin.getByLabel('Title of every other page').fill('%s | The harbour desk');
    await admin.locator('[name="og_description"]').fill('Exchange by the harbour.');
    await admin.locator('[name="meta_description"]').fill('A desk by the harbour.');
    await admin.locator('[name="twitter_site"]').fill('@harbourdesk');
    await saveSettings(admin);
    await eventuallyShows(desk, '/rates', (html) => html.includes('| The harbour desk'));
    const page = await newVisitor(browser);
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    for (const path of ['/', '/rates', '/blog/what-a-rate-really-costs', '/terms']) {
      await page.goto(desk.web + path);
      const canonical = await page.locator('link[rel=canonical]').getAttribute('href');
      assert.equal(canonical, desk.web + path);
      assert.ok(await content('meta[property="og:title"]'), path);
      assert.equal(await content('meta[name="twitter:site"]'), '@harbourdesk', path);
      if (path === '/') {
        assert.equal(await content('meta[name="description"]'), 'A desk by the harbour.');
        assert.equal(await content('meta[property="og:description"]'), 'Exchange by the harbour.');
      } else assert.match(await page.title(), / \| The harbour desk$/, path);
    }
    await page.goto(`${desk.web}/blog/what-a-rate-really-costs`);
    const image = (await content('meta[property="og:image"]')) ?? '';
    assert.match((await fetch(image)).headers.get('content-type') ?? '', /image\/(jpeg|png)/);
    for (const path of ['/signin?next=/exchanges', '/forgot-password', '/exchanges', '/blog?q=a']) {
      const answer = await fetchPage(desk, path);
      assert.match(answer.headers.get('x-robots-tag') ?? (await answer.text()), /noindex/, path);
    }
  });

  it('The feed is valid and not sent twice, and old addresses lead to the present ones', async () => {
    const feed = await fetchPage(desk, '/blog/rss.xml');
    assert.equal(feed.headers.get('content-type'), 'application/rss+xml; charset=utf-8');
    assert.deepEqual(await mistakesIn(await feed.text(), 'rss.rng'), []);
    const known = feed.headers.get('etag') ?? '';
    const again = await fetchPage(desk, '/blog/rss.xml', { 'if-none-match': known });
    assert.equal(again.status, 304);
    for (const [typed, own] of [
      ['/Terms?version=1', '/terms?version=1'],
      ['/rates/USDT-TRC20-to-EUR?range=day', '/rates/usdt-trc20-to-eur?range=day'],
    ] as const) {
      const { status, headers } = await fetchPage(desk, typed);
      assert.deepEqual([status === 301 || status === 308, headers.get('location')], [true, own]);
    }
    assert.equal((await fetchPage(desk, '/No-Such-Page')).status, 404);
  });

  it('A post that is written from right to left begins at the right', async () => {
    const call = (method: string, path: string, data: object) =>
      callApi<Post>(admin.context(), desk, method, `/api/admin/blogs${path}`, data);
    const post = await call('POST', '', { title: 'سعر الصرف' });
    const body = '<p>سعر الصرف اليوم</p><ul><li>الدولار</li></ul>';
    const content = { ...post.content, excerpt: 'كلمات قليلة', body };
    const { version } = await call('PUT', `/${post.id}/draft`, { version: post.version, content });
    await call('POST', `/${post.id}/publication`, { version, publish_at: null });
    const path = `/blog/${post.content.slug}`;
    await eventuallyShows(desk, path, (html) => html.includes('الدولار'));
    const reader = await newVisitor(browser, { viewport: screen });
    await reader.goto(desk.web + path);
    const gap = (words: Locator) =>
      words.evaluate((element) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        const { right } = range.getBoundingClientRect();
        return Math.round(element.getBoundingClientRect().right - right);
      });
    for (const part of ['h1', '.prose p']) assert.equal(await gap(reader.locator(part)), 0, part);
    assert.equal(
      await reader.locator('.prose ul').evaluate((list) => list.matches(':dir(rtl)')),
      true,
    );
  });
});

describe('a closed site', () => {
  it('An admin closes it for visitors, who keep what they typed, and opens it again', async () => {
    const writer = await newVisitor(browser);
    await writer.goto(`${desk.web}/contact`, { waitUntil: 'networkidle' });
    await writer.getByLabel('Your name').fill('Ada');
    await writer.getByLabel('Email address').fill('ada@example.com');
    await writer.getByLabel('What it is about').selectOption('rates');
    await writer.getByLabel('Your message').fill('A long message.');

    const status = async () => (await fetchPage(desk, '/')).status;
    await open('general');
    await admin.getByRole('switch', { name: 'Close the site' }).check();
    await admin.getByLabel('Message to visitors').fill('We move to a new hall.');
    await admin.getByLabel('Minutes until visitors should return').fill('45');
    await admin.keyboard.press('Enter');
    const question = admin.getByRole('dialog', { name: 'Close the site?' });
    await saveSettings(admin, () =>
      question.getByRole('button', { name: 'Close the site', exact: true }).click(),
    );
    await eventually('The site is closed', async () => (await status()) === 503);
    const closed = await fetchPage(desk, '/');
    assert.equal(closed.headers.get('retry-after'), '2700');
    assert.equal(closed.headers.get('cache-control'), 'no-store');
    assert.equal((await fetchPage(desk, '/sitemap.xml')).status, 503);

    await writer.getByRole('button', { name: 'Send the message' }).click();
    const refusal = writer.getByRole('alert').filter({ hasText: 'nothing was sent or saved' });
    await refusal.waitFor();
    assert.equal(await writer.getByLabel('Your message').inputValue(), 'A long message.');
    const visitor = await newVisitor(browser);
    assert.equal((await visitor.goto(`${desk.web}/blog`))?.status(), 503);
    await visitor.getByRole('heading', { name: 'We’re working on the site' }).waitFor();
    await visitor.getByText('We move to a new hall.').waitFor();
    await visitor.getByText('in 45 minutes').waitFor();
    await visitor.getByRole('link', { name: 'Go to my exchanges' }).click();
    await visitor.waitForURL(/\/signin\?.*exchanges$/);

    // An admin whose session has ended comes in again.
    await admin.context().clearCookies();
    await admin.goto(`${desk.web}/admin`, { waitUntil: 'networkidle' });
    await signInAsAdmin(admin, desk);
    assert.equal((await admin.goto(`${desk.web}/rates`))?.status(), 200);
    await admin.getByText('The site is closed for visitors and customers.').waitFor();
    await open('general');
    await admin.getByRole('switch', { name: 'Close the site' }).uncheck();
    await saveSettings(admin);
    await eventually('The site is open', async () => (await status()) === 200);
  });
});
