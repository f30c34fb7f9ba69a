/** An admin writes a legal page, publishes it, announces a change and moves it; a visitor reads along. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { editorText } from './editor.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';
import { refusedByPolicy } from './watched.ts';

const patienceMs = 15_000;
const dayMs = 86_400_000;

describe('a legal page', () => {
  let desk: Desk;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let visitor: Page;
  let address = '';
  /** What the pages' policy has refused. */
  let refused: readonly string[] = [];

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    context = await browser.newContext({ viewport: screen });
    refused = refusedByPolicy(context);
    page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await signInAsAdmin(page, desk);
    visitor = await newVisitor(browser);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const answered = (method: string, path: RegExp, status = 200) =>
    page.waitForResponse(
      (response: Response) =>
        response.request().method() === method &&
        path.test(new URL(response.url()).pathname) &&
        response.status() === status,
    );
  const inDialog = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true });

  async function save(): Promise<void> {
    const saved = answered('PUT', /\/draft$/);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await saved;
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
  }

  async function publish(version: number): Promise<void> {
    await page.getByRole('button', { name: `Publish version ${version}` }).click();
    const published = answered('POST', /\/publication$/);
    await inDialog('Publish').click();
    await published;
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  it('begins with a title, not at an address that belongs to another page', async () => {
    await page.getByRole('link', { name: 'Legal pages', exact: true }).click();
    await page.getByRole('link', { name: 'New legal page' }).first().click();
    await page.waitForURL(/\/new$/);
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Title').fill('Cookie rules');
    await page.getByLabel('Address').fill('blog');
    const refusal = answered('POST', /\/legal-pages$/, 422);
    await page.getByRole('button', { name: 'Start writing' }).click();
    await refusal;
    await page.getByText('belongs to another page of the site').waitFor();
    await page.getByLabel('Address').fill('');
    await page.getByRole('button', { name: 'Start writing' }).click();
    await page.waitForURL(/\/admin\/legal-pages\/[0-9a-f-]{36}$/);
    address = page.url();
    assert.equal(await page.getByLabel('Address').inputValue(), 'cookie-rules');
  });

  it('is written in the editor, and says what of pasted HTML had no place', async () => {
    await editorText(page).focus();
    await page.keyboard.type('We set one cookie.');
    // What is typed while it is being saved stays.
    await page.route('**/draft', async (route) => {
      await page.getByLabel('Summary').fill('Typed meanwhile.');
      await route.continue();
    });
    const saved = answered('PUT', /\/draft$/);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await saved;
    await page.getByText('Unsaved changes').waitFor();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'Typed meanwhile.');
    await page.unroute('**/draft');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await page
      .locator('textarea#body')
      .fill(
        '<h2>One</h2><p onclick="alert(1)">We set one cookie.</p><script>alert(1)</script>' +
          '<h2>Two</h2><p>b</p><h2>Three</h2><p>c</p>',
      );
    await page.getByLabel('Summary').fill('Which cookies we set.');
    await save();
    for (const slug of ['which-cookies', 'cookie-rules']) {
      await page.getByLabel('Address').fill(slug);
      await page.getByRole('button', { name: 'Change address' }).click();
      await page.getByRole('button', { name: 'Change address' }).waitFor({ state: 'detached' });
    }
    const warning = page.getByRole('status').filter({ hasText: 'Parts of the text were removed' });
    await warning.waitFor();
    assert.match(await warning.innerText(), /onclick of <p>[\s\S]*<script>/);
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    assert.equal(await editorText(page).locator('h2').count(), 3);
  });

  it('is read by who has the preview link, and by nobody else', async () => {
    await page.getByRole('button', { name: 'Preview link' }).click();
    const link = await page.getByRole('link', { name: 'Open the preview' }).getAttribute('href');
    await page.keyboard.press('Escape');
    const answer = await visitor.goto(link ?? '');
    assert.match(answer?.headers()['x-robots-tag'] ?? '', /noindex/);
    await visitor.getByRole('heading', { name: 'Cookie rules', level: 1 }).waitFor();
    await visitor.getByText('This is a preview').waitFor();
    assert.equal((await visitor.goto(`${desk.web}/cookie-rules`))?.status(), 404);
  });

  it('is public once it is published, within a second', async () => {
    await publish(1);
    const since = Date.now();
    const answer = await visitor.goto(`${desk.web}/cookie-rules`);
    assert.equal(answer?.status(), 200);
    assert.ok(Date.now() - since < 5_000);
    await visitor.getByText('We set one cookie.').waitFor();
    await visitor.getByText('Version 1', { exact: true }).waitFor();
    const kinds = await visitor.locator('script[type="application/ld+json"]').allTextContents();
    const data = kinds.flatMap((json) => JSON.parse(json) as Record<string, unknown>[]);
    assert.deepEqual(data.map((each) => each['@type']).toSorted(), [
      'BreadcrumbList',
      'Organization',
      'WebPage',
      'WebSite',
    ]);
    assert.equal(await visitor.locator('meta[name=robots]').count(), 0);
  });

  it('announces what comes, and goes on holding until then', async () => {
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await page.locator('textarea#body').fill('<h2>One</h2><p>We set two cookies.</p>');
    const day = new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10);
    await page.getByLabel('In force from').fill(day);
    await page.getByRole('button', { name: 'Publish version 2' }).click();
    await inDialog('Publish').click();
    await page.locator('[name=change][aria-invalid=true]:focus').waitFor();
    await page.getByLabel('What changes').fill('Two cookies instead of one.');
    await publish(2);
    await page.getByText('Version 2 is announced for').waitFor();

    await visitor.reload();
    await visitor.getByText('We set one cookie.').waitFor();
    await visitor.getByText(/A new version comes into force on/).waitFor();
    await visitor.getByRole('link', { name: 'Read the new version' }).click();
    await visitor.waitForURL(/\?version=2$/);
    await visitor.getByText('We set two cookies.').waitFor();
    await visitor.getByText(/This version comes into force on/).waitFor();
    assert.equal(await visitor.locator('meta[name=robots][content=noindex]').count(), 1);
  });

  it('leaves the version before it to be read, with its note', async () => {
    await page.getByLabel('What changes').fill('From today on after all.');
    await page.getByLabel('Summary').fill('Which two cookies we set.');
    await publish(3);
    await visitor.goto(`${desk.web}/cookie-rules`);
    await visitor.getByText('We set two cookies.').waitFor();
    await visitor.getByRole('link', { name: 'Version 1', exact: true }).click();
    await visitor.waitForURL(/\?version=1$/);
    await visitor.getByText('We set one cookie.').waitFor();
    await visitor.getByText('This is not the version in force').waitFor();
    assert.equal(await visitor.locator('meta[name=robots][content=noindex]').count(), 1);
    await visitor.getByRole('link', { name: 'Read the version in force' }).click();
    await visitor.waitForURL(/\/cookie-rules$/);
  });

  it('compares a revision with the draft, and restores it', async () => {
    await page.getByRole('link', { name: 'Revisions', exact: true }).click();
    await page.getByRole('heading', { name: 'Versions', exact: true }).waitFor();
    await page
      .getByRole('link', { name: /Published/ })
      .last()
      .click();
    await page.getByRole('heading', { name: /and the present$/ }).waitFor();
    assert.match(await page.locator('ins').first().innerText(), /two/);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(address);
    await editorText(page).getByText('We set one cookie.').waitFor();
    assert.match(await (await fetch(`${desk.web}/cookie-rules`)).text(), /We set two cookies\./);
  });

  it('moves, and its old address leads on for good', async () => {
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Address').fill('cookies');
    const moved = answered('PUT', /\/address$/);
    await page.getByRole('button', { name: 'Change address' }).click();
    await moved;
    await page.getByText('Former addresses that redirect here').waitFor();
    const answer = await fetch(`${desk.web}/cookie-rules?version=1`, { redirect: 'manual' });
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), '/cookies?version=1');
  });

  it('takes its place in the list, by keyboard too', async () => {
    await page.goto(`${desk.web}/admin/legal-pages`, { waitUntil: 'networkidle' });
    const ordered = answered('PUT', /\/order$/);
    await page.getByRole('button', { name: 'Move up: Cookie rules' }).focus();
    await page.keyboard.press('Enter');
    await ordered;
    const { data } = (await (await fetch(`${desk.api}/api/legal-pages`)).json()) as {
      data: { slug: string }[];
    };
    assert.deepEqual(
      data.map(({ slug }) => slug),
      ['terms', 'privacy', 'cookies', 'aml-policy'],
    );
  });

  it('can be taken off the site, and not be deleted', async () => {
    await page.goto(address, { waitUntil: 'networkidle' });
    assert.equal(await page.getByRole('button', { name: 'Delete', exact: true }).count(), 0);
    await page.getByRole('button', { name: 'Unpublish' }).click();
    const withdrawn = answered('DELETE', /\/publication$/);
    await inDialog('Unpublish').click();
    await withdrawn;
    await page.getByText('None: the page was unpublished.').waitFor();
    assert.equal((await fetch(`${desk.web}/cookies`)).status, 404);
  });

  it('is reloaded for the author whose save came second', async () => {
    const other = await context.newPage();
    await other.goto(address, { waitUntil: 'networkidle' });
    await page.goto(address, { waitUntil: 'networkidle' });
    await other.getByLabel('Summary').fill('Saved first.');
    const first = other.waitForResponse((response) => response.request().method() === 'PUT');
    await other.getByRole('button', { name: 'Save draft' }).click();
    await first;
    await other.close();
    await page.getByLabel('Summary').fill('Saved second.');
    const refusal = answered('PUT', /\/draft$/, 409);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await refusal;
    await page.getByRole('dialog', { name: /saved this at/ }).waitFor();
    await inDialog('Reload').click();
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Summary').inputValue(), 'Saved first.');
  });

  it('did nothing that the pages’ policy forbids', () => {
    assert.deepEqual(refused, []);
  });
});
