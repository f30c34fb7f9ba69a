/**
 * How the site is found: site map, robots.txt and metadata as an admin sets them
 * in the browser and as crawlers read them, by their schemas; and what is told to
 * who asks again for what it has.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { validateXML } from 'xmllint-wasm';
import { siteMapIndex, urlset } from '../apps/web/src/lib/server/site-map.ts';
import { openOffice, withinASecond, type Office } from './office.ts';
import { newVisitor } from './visitor.ts';

const schemas = new URL('schemas/', import.meta.url);
const schemaFile = async (fileName: string) => ({
  fileName,
  contents: await readFile(new URL(fileName, schemas), 'utf8'),
});

async function mistakesIn(xml: string, schema: string): Promise<string[]> {
  const { valid, errors } = await validateXML({
    xml: [{ fileName: 'sitemap.xml', contents: xml }],
    extension: 'schema',
    schema: [await schemaFile(schema)],
    preload: [await schemaFile('xhtml-link.xsd')],
  });
  return valid ? [] : errors.map(({ message }) => message);
}

describe('the schemas of the site map', () => {
  const page = { path: '/rates', changed: '2026-03-01T10:00:00.000Z' };

  it('take what is written for several languages, and an index', async () => {
    const languages = (path: string) => [
      { language: 'en', path },
      { language: 'de', path: `/de${path}?a=1&b=2` },
    ];
    const origin = 'https://desk.test';
    assert.deepEqual(await mistakesIn(urlset(origin, [page], languages), 'sitemap.xsd'), []);
    assert.deepEqual(await mistakesIn(siteMapIndex(origin, [page]), 'siteindex.xsd'), []);
  });

  it('refuse what is empty, wrong or told twice', async () => {
    for (const pages of [[], [{ path: '/', changed: 'yesterday' }], [page, page]]) {
      const text = urlset('https://desk.test', pages);
      assert.notDeepEqual(await mistakesIn(text, 'sitemap.xsd'), [], text);
    }
  });

  it('refuse what the protocol has otherwise: order, name, length, a time without its zone', async () => {
    const place = /(<loc>.*<\/loc>)(<lastmod>.*<\/lastmod>)/;
    const changes: readonly ((xml: string) => string)[] = [
      (xml) => xml.replace(place, '$2$1'),
      (xml) => xml.replace(place, '$1$1$2'),
      (xml) => xml.replace(place, '$2'),
      (xml) => xml.replace(place, '$1$2<note>new</note>'),
      (xml) => xml.replace('sitemap/0.9', 'sitemap/0.84'),
      (xml) => xml.replace('<loc>https://desk.test', '<loc>'),
      (xml) => xml.replace('/rates', `/${'r'.repeat(2048)}`),
      (xml) => xml.replace('.000Z</lastmod>', '</lastmod>'),
    ];
    for (const change of changes) {
      for (const [schema, xml] of [
        ['sitemap.xsd', urlset('https://desk.test', [page])],
        ['siteindex.xsd', siteMapIndex('https://desk.test', [page])],
      ] as const) {
        assert.deepEqual(await mistakesIn(xml, schema), []);
        assert.notEqual(change(xml), xml);
        assert.notDeepEqual(await mistakesIn(change(xml), schema), [], change(xml));
      }
    }
  });
});

describe('the site, to crawlers', () => {
  let at: Office;
  let office: Page;

  before(async () => {
    at = await openOffice();
    office = at.page;
  });
  after(() => at?.close());

  it('lists what the settings say in a site map that its schema takes', async () => {
    const map = await at.read('/sitemap.xml');
    assert.match(map.headers.get('content-type') ?? '', /^application\/xml/);
    const text = await map.text();
    assert.deepEqual(await mistakesIn(text, 'sitemap.xsd'), []);
    for (const path of ['/', '/rates', '/blog', '/blog/what-a-rate-really-costs', '/terms']) {
      assert.ok(text.includes(`<loc>${at.desk.web}${path}</loc>`), path);
    }
    assert.doesNotMatch(text, /\/blog\/tag\//);
    assert.match(text, /\/blog\/what-a-rate-really-costs<\/loc><lastmod>20\d\d-/);
    for (const [, address = ''] of text.matchAll(/<loc>([^<]+)<\/loc>/g)) {
      const answer = await fetch(address, { redirect: 'manual' });
      assert.equal(answer.status, 200, address);
      assert.equal(answer.headers.get('x-robots-tag'), null, address);
      const canonical = /<link rel="canonical" href="([^"]+)"/.exec(await answer.text())?.[1];
      assert.equal(canonical, address);
    }
    const known = map.headers.get('etag') ?? '';
    assert.equal((await at.read('/sitemap.xml', { 'if-none-match': known })).status, 304);

    await at.openForm('sitemap-robots');
    await office.getByRole('checkbox', { name: 'Posts', exact: true }).uncheck();
    await office.getByRole('checkbox', { name: 'Tags of the blog' }).check();
    await office.getByRole('button', { name: 'Add a path' }).first().click();
    await office.locator('[name="disallow.0"]').fill('not a path');
    await office.getByRole('button', { name: 'Save changes' }).click();
    await office.getByText('must begin with /.').first().waitFor();
    await office.locator('[name="disallow.0"]').fill('/rates?q=');
    await at.save('sitemap-robots');
    const changed = await withinASecond(
      () => at.textOf('/sitemap.xml'),
      (xml) => xml.includes('/blog/tag/'),
    );
    assert.doesNotMatch(changed, /what-a-rate-really-costs/);
    assert.deepEqual(await mistakesIn(changed, 'sitemap.xsd'), []);
    assert.match(await at.textOf('/robots.txt'), /^Disallow: \/rates\?q=$/m);
  });

  it('tells crawlers by robots.txt where not to go, and leaves search engines where it is told to', async () => {
    const robots = await at.read('/robots.txt');
    assert.match(robots.headers.get('content-type') ?? '', /^text\/plain/);
    const text = await robots.text();
    for (const line of ['User-agent: *', 'Disallow: /admin/', 'Disallow: /status/']) {
      assert.ok(text.split('\n').includes(line), line);
    }
    assert.ok(text.includes(`Sitemap: ${at.desk.web}/sitemap.xml`));

    await at.openForm('sitemap-robots');
    await office.getByRole('switch', { name: 'Keep the whole site out of search engines' }).check();
    await office.getByRole('button', { name: 'Save changes' }).click();
    const keepOut = office.getByRole('button', { name: 'Keep it out' });
    await at.save('sitemap-robots', () => keepOut.click());
    const hidden = await withinASecond(
      () => at.read('/rates'),
      ({ headers }) => headers.get('x-robots-tag') === 'noindex',
    );
    assert.match(await hidden.text(), /<meta name="robots" content="noindex"/);
    assert.equal((await at.read('/sitemap.xml')).status, 404);
    assert.doesNotMatch(await at.textOf('/robots.txt'), /Sitemap/);
    await office.goto(`${at.desk.web}/admin`);
    await office.getByText('Search engines are asked not to index the site.').waitFor();
    const there = office.getByRole('link', { name: 'Change it in the settings' });
    assert.equal(await there.getAttribute('href'), '/admin/settings/sitemap-robots');
    await at.openForm('sitemap-robots');
    await office
      .getByRole('switch', { name: 'Keep the whole site out of search engines' })
      .uncheck();
    await at.save('sitemap-robots');
    await withinASecond(
      () => at.read('/rates'),
      ({ headers }) => headers.get('x-robots-tag') === null,
    );
  });

  it('says what it is on every public page, each in its own words where it has some', async () => {
    await at.openForm('seo');
    await office.getByLabel('Title of every other page').fill('%s | The harbour desk');
    await office.locator('[name="og_description"]').fill('Exchange by the harbour.');
    await office.locator('[name="meta_description"]').fill('A desk by the harbour.');
    await office.locator('[name="twitter_site"]').fill('@harbourdesk');
    await at.save('seo');
    await withinASecond(
      () => at.textOf('/rates'),
      (html) => html.includes('| The harbour desk'),
    );
    const page = await newVisitor(at.browser);
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    for (const path of [
      '/',
      '/rates',
      '/blog',
      '/blog/what-a-rate-really-costs',
      '/terms',
      '/contact',
    ]) {
      await page.goto(at.desk.web + path);
      const canonical = await page.locator('link[rel=canonical]').getAttribute('href');
      assert.equal(canonical, at.desk.web + path);
      assert.ok(await content('meta[name="description"]'), path);
      assert.ok(await content('meta[property="og:title"]'), path);
      assert.ok(await content('meta[property="og:description"]'), path);
      assert.ok(await content('meta[name="twitter:card"]'), path);
      assert.equal(await content('meta[name="twitter:site"]'), '@harbourdesk', path);
      const blocks = await page.locator('script[type="application/ld+json"]').allTextContents();
      const kinds = blocks
        .flatMap((block) => JSON.parse(block))
        .map((each: Record<string, unknown>) => each['@type']);
      assert.ok(kinds.includes('Organization') && kinds.includes('WebSite'), `${path}: ${kinds}`);
      if (path === '/') {
        assert.equal(await content('meta[name="description"]'), 'A desk by the harbour.');
        assert.equal(await content('meta[property="og:description"]'), 'Exchange by the harbour.');
      } else {
        assert.match(await page.title(), / \| The harbour desk$/, path);
      }
    }
    await page.context().close();
    for (const path of [
      '/signin?next=/exchanges',
      '/forgot-password',
      '/subscribe/confirm',
      '/exchanges',
      '/rates?q=usd',
      '/blog?q=rate',
    ]) {
      const answer = await at.read(path);
      const found = answer.headers.get('x-robots-tag') ?? (await answer.text());
      assert.match(found, /noindex/, path);
    }
    for (const path of ['/signin', '/signup']) {
      const answer = await at.read(path);
      assert.equal(answer.headers.get('x-robots-tag'), null, path);
      assert.doesNotMatch(await answer.text(), /noindex/, path);
    }
  });

  it('is not sent again to who has it, and allows only what it names', async () => {
    for (const path of ['/rates', '/blog', '/blog/what-a-rate-really-costs', '/terms']) {
      const first = await at.read(path);
      const policy = first.headers.get('content-security-policy') ?? '';
      assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/, path);
      assert.match(policy, /script-src 'self' 'sha256-/, path);
      assert.match(policy, /; report-uri \/_policy-reports$/, path);
      assert.equal(first.headers.get('cache-control'), 'private, no-cache', path);
      const known = first.headers.get('etag') ?? '';
      await first.text();
      const second = await at.read(path, { 'if-none-match': known });
      assert.equal(second.status, 304, path);
    }
  });
});
