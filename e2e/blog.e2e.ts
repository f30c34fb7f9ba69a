/**
 * The blog as its readers have it, with and without script, and as it changes:
 * written by the service's own API, read on the site.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';
import { validateXML } from 'xmllint-wasm';
import { attacks } from '../packages/html/src/attacks.ts';
import { cleanHtml } from '../packages/html/src/clean.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';

interface Post {
  id: string;
  version: number;
  content: Record<string, unknown> & { slug: string };
}

describe('the blog', () => {
  let desk: Desk;
  let browser: Browser;
  let office: BrowserContext;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    office = await browser.newContext();
    const writer = await office.newPage();
    await writer.goto(`${desk.web}/signin`, { waitUntil: 'networkidle' });
    await writer.getByLabel('E-mail address').fill(desk.admin.email);
    await writer.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await writer.getByRole('button', { name: 'Sign in', exact: true }).click();
    await writer.waitForURL(/\/admin/);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  /** As the console calls the API: with the session's cookies and its token. */
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const cookies = await office.cookies(desk.api);
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const answer = await office.request.fetch(desk.api + path, {
      method,
      headers: {
        accept: 'application/json',
        origin: desk.web,
        'X-XSRF-TOKEN': decodeURIComponent(token),
      },
      ...(body === undefined ? {} : { data: body }),
    });
    const text = await answer.text();
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${text}`);
    return JSON.parse(text).data;
  }

  async function write(title: string, content: Record<string, unknown>): Promise<Post> {
    const begun = await ask<Post>('POST', '/api/admin/blogs', { title });
    return save(begun, content);
  }

  const save = ({ id, version, content }: Post, change: Record<string, unknown>) =>
    ask<Post>('PUT', `/api/admin/blogs/${id}/draft`, {
      version,
      content: { ...content, ...change },
    });

  const publish = ({ id, version }: Post) =>
    ask<Post>('POST', `/api/admin/blogs/${id}/publication`, { version, publish_at: null });

  const read = (path: string) => fetch(desk.web + path, { redirect: 'manual' });

  it('is read without script: list, search, tag, post and its headings', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${desk.web}/`);
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Blog' })
      .click();
    assert.equal(await page.getByRole('article').count(), 5);
    const picture = page.getByRole('article').first().locator('img');
    assert.equal(await picture.getAttribute('loading'), 'eager');
    assert.equal(await picture.getAttribute('fetchpriority'), 'high');
    assert.match(
      (await picture.getAttribute('srcset')) ?? '',
      /-320\.webp 320w, .*-1200\.webp 1200w/,
    );
    assert.equal(await page.locator('img[loading=lazy]').count(), 4);

    await page.getByLabel('Search the blog').fill('clearing hou');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\?q=clearing\+hou$/);
    assert.equal(await page.getByRole('article').count(), 1);
    await page.getByLabel('Search the blog').fill('unicorns');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No posts match “unicorns”').waitFor();

    await page
      .getByRole('navigation', { name: 'Tags' })
      .getByRole('link', { name: 'Charts' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Posts about Charts' }).waitFor();
    await page.getByRole('link', { name: 'How to read a month of a rate' }).click();
    await page.getByRole('heading', { level: 1, name: 'How to read a month of a rate' }).waitFor();
    await page.getByRole('link', { name: 'What the choice is worth' }).first().click();
    assert.match(page.url(), /#text-what-the-choice-is-worth$/);
    assert.ok(await page.getByRole('link', { name: 'Send by e-mail' }).isVisible());
    assert.equal(await page.getByRole('button', { name: 'Copy link' }).count(), 0);
    await context.close();
  });

  it('says what a post is to search engines and link previews', async () => {
    const page = await browser.newPage();
    await page.goto(`${desk.web}/blog/what-a-rate-really-costs`);
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    assert.equal(await content('meta[property="og:type"]'), 'article');
    assert.equal(await content('meta[name="twitter:card"]'), 'summary_large_image');
    assert.ok(await content('meta[property="og:image:alt"]'));
    const image = await content('meta[property="og:image"]');
    assert.ok(image !== null && image.startsWith(`${desk.web}/media/`), image ?? 'no picture');
    assert.match((await fetch(image)).headers.get('content-type') ?? '', /image\/(jpeg|png)/);
    const canonical = page.locator('link[rel=canonical]');
    assert.equal(await canonical.getAttribute('href'), `${desk.web}/blog/what-a-rate-really-costs`);
    const text = await page.locator('script[type="application/ld+json"]').first().textContent();
    const [posting] = JSON.parse(text ?? '');
    assert.equal(posting['@type'], 'BlogPosting');
    assert.equal(posting.headline, 'What a rate really costs');
    await page.close();
  });

  it('is shared by its address, and its posts lead to each other', async () => {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    await page.goto(`${desk.web}/blog`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'What a rate really costs' }).click();
    await page.waitForURL(/what-a-rate-really-costs$/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), page.url());
    const related = page.getByRole('region', { name: 'More on this' });
    await related.getByRole('link', { name: /^Fifteen minutes/ }).click();
    await page.waitForURL(/why-a-price-is-held$/);
    await page.getByRole('heading', { level: 1, name: /^Fifteen minutes/ }).waitFor();
    await context.close();
  });

  it('shows a working copy to whoever has its link, and the post within a second of its publication', async () => {
    const draft = await write('A post in the making', { body: '<h2>One</h2><p>Two.</p>' });
    assert.equal((await read('/blog/a-post-in-the-making')).status, 404);
    const { url } = await ask<{ url: string }>('POST', `/api/admin/blogs/${draft.id}/preview-link`);
    const preview = await fetch(url);
    const html = await preview.text();
    assert.match(html, /This is a preview/);
    assert.match(html, /<h2 id="text-one">One<\/h2>/);
    assert.match(html, /<meta name="robots" content="noindex"/);
    assert.equal(preview.headers.get('cache-control'), 'no-store');
    assert.equal(preview.headers.get('x-robots-tag'), 'noindex');
    assert.equal((await fetch(`${url}x`)).status, 404);

    await publish(draft);
    await sleep(1_000);
    assert.equal((await read('/blog/a-post-in-the-making')).status, 200);
    assert.match(await (await read('/blog')).text(), /A post in the making/);
    assert.match(await (await read('/blog/atom.xml')).text(), /A post in the making/);
  });

  it('leads from a former address to the present one for good', async () => {
    const post = await publish(await write('Moving house', { body: '<p>We move.</p>' }));
    await publish(await save(post, { slug: 'moved-house' }));
    await sleep(1_000);
    const answer = await read('/blog/moving-house');
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), '/blog/moved-house');
    assert.equal((await read('/blog/moved-house')).status, 200);
  });

  it('is paged by links that say which is before and after', async () => {
    for (const number of Array.from({ length: 8 }, (_, at) => at + 1)) {
      await publish(await write(`Note ${number}`, { body: '<p>A note.</p>', tags: ['Notes'] }));
    }
    await sleep(1_000);
    const page = await browser.newPage();
    await page.goto(`${desk.web}/blog?page=2`);
    assert.equal(await page.locator('link[rel=prev]').getAttribute('href'), '/blog');
    assert.equal(await page.locator('link[rel=next]').count(), 0);
    assert.equal(
      await page.locator('link[rel=canonical]').getAttribute('href'),
      `${desk.web}/blog?page=2`,
    );
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.waitForURL(/\/blog$/);
    // What stands for a cover ends with its frame: also clipped it would be behind the words beside it.
    const [mark, frame] = await Promise.all(
      ['.rosette', ':has(> .rosette)'].map((place) =>
        page.locator(`article ${place}`).first().boundingBox(),
      ),
    );
    assert.ok(mark && frame && mark.x + mark.width <= frame.x + frame.width);
    const beyond = await read('/blog?page=3');
    assert.equal(beyond.status, 404);
    assert.match(await beyond.text(), /<h1[^>]*>There is no such page of the list</);
    const untagged = await read('/blog/tag/no-such-tag');
    assert.equal(untagged.status, 404);
    assert.match(await untagged.text(), /<h1[^>]*>There is no such tag</);
    // An old link in another case leads to the tag, and names its one address.
    await page.goto(`${desk.web}/blog/tag/RATES`);
    const canonical = page.locator('link[rel=canonical]');
    assert.equal(await canonical.getAttribute('href'), `${desk.web}/blog/tag/Rates`);
    await page.close();
  });

  it('helps on where a post is not', async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`${desk.web}/blog/no-such-post`);
    assert.equal(answer?.status(), 404);
    await page.getByLabel('Search the blog').fill('proof');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/\/blog\?q=proof$/);
    await page.getByRole('link', { name: 'What makes a good proof of payment' }).waitFor();
    await page.close();
  });

  for (const [name, type] of [
    ['rss', 'application/rss+xml; charset=utf-8'],
    ['atom', 'application/atom+xml; charset=utf-8'],
  ] as const) {
    it(`is a valid ${name} feed that is not sent twice`, async () => {
      await publish(await write(`</title> & ]]> “${name}”`, { body: '<p>Awkward.</p>' }));
      await sleep(1_000);
      const answer = await read(`/blog/${name}.xml`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), type);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=120');
      assert.equal(answer.headers.get('set-cookie'), null);
      const { valid, rawOutput } = await validateXML({
        xml: [{ fileName: `${name}.xml`, contents: await answer.text() }],
        schema: [await readFile(new URL(`schemas/${name}.rng`, import.meta.url), 'utf8')],
        extension: 'relaxng',
      });
      assert.ok(valid, rawOutput);
      const again = await fetch(`${desk.web}/blog/${name}.xml`, {
        headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
      });
      assert.equal(again.status, 304);
    });
  }

  it('runs nothing that was pasted into a post', async () => {
    const printable = attacks.filter((attack) => !/[\0\u0001]/.test(attack));
    // Some take all that follows with them, so each of those comes last in a post of its own.
    const isGreedy = (attack: string) => !cleanHtml(`${attack}<p>After.</p>`).includes('After.');
    const others = printable.filter((attack) => !isGreedy(attack));
    const greedy = printable.filter(isGreedy);
    for (const [at, last] of ['', ...greedy].entries()) {
      const pasted = await write(`Pasted ${at}`, {
        body: [...others, '<p>Before.</p>', last].join('\n'),
        excerpt: '"><img src=x onerror=alert(1)>',
        author: '</script><script>alert(1)</script>',
        meta_description: '</title><script>alert(1)</script>',
      });
      await publish(pasted);
    }
    await sleep(1_000);
    const page = await browser.newPage();
    const heard: string[] = [];
    page.on('dialog', (dialog) => {
      heard.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) heard.push(message.text());
    });
    await page.goto(`${desk.web}/blog`, { waitUntil: 'networkidle' });
    for (const at of ['', ...greedy].keys()) {
      await page.goto(`${desk.web}/blog/pasted-${at}`, { waitUntil: 'networkidle' });
      await page.getByText('Before.', { exact: true }).waitFor();
    }
    assert.deepEqual(heard, []);
    await page.close();
  });
});
