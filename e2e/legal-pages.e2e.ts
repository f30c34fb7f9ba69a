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
    await page.getByRole('button', { name: 'Save the draft' }).click();
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
    await page.getByRole('button', { name: 'Begin writing' }).click();
    await refusal;
    await page.getByText('belongs to another page of the site').waitFor();
    await page.getByLabel('Address').fill('');
    await page.getByRole('button', { name: 'Begin writing' }).click();
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
    await page.getByRole('button', { name: 'Save the draft' }).click();
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
    // The address of a page that nobody has seen is saved with it.
    await page.getByLabel('Address').fill('which-cookies');
    await save();
    await page.getByRole('button', { name: 'Change the address' }).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Address').inputValue(), 'which-cookies');
    await page.getByLabel('Address').fill('cookie-rules');
    await page.getByRole('button', { name: 'Change the address' }).click();
    await page.getByRole('button', { name: 'Change the address' }).waitFor({ state: 'detached' });
    const warning = page.getByRole('status').filter({ hasText: 'Not all of the text was kept' });
    await warning.waitFor();
    assert.match(await warning.innerText(), /onclick of <p>[\s\S]*<script>/);
    await page.getByRole('button', { name: 'Back to the text' }).click();
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
    await page.locator('[name=change][aria-invalid=true]:focus').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0, 'nothing is asked that cannot be done');
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

  it('shows in the console what a version said, and brings it back', async () => {
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('link', { name: /Version 1/ }).click();
    await page.getByRole('heading', { name: 'Version 1 and now' }).waitFor();
    assert.match(await page.locator('ins').first().innerText(), /two/);
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Put this text back' }).click();
    await page.waitForURL(address);
    await editorText(page).getByText('We set one cookie.').waitFor();
    assert.match(await (await fetch(`${desk.web}/cookie-rules`)).text(), /We set two cookies\./);
  });

  it('keeps the draft that a version took the place of, and brings it back', async () => {
    const summary = () => page.getByLabel('Summary');
    await page.waitForLoadState('networkidle');
    await summary().fill('Never published.');
    await save();
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('link', { name: /Version 3/ }).click();
    await page.getByRole('heading', { name: 'Version 3 and now' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Put this text back' }).click();
    await page.waitForURL(address);
    assert.equal(await summary().inputValue(), 'Which two cookies we set.');
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page
      .getByRole('link', { name: /Earlier draft/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'The earlier draft and now' }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Put this text back' }).click();
    await page.waitForURL(address);
    assert.equal(await summary().inputValue(), 'Never published.');
  });

  it('moves, and its old address leads on for good', async () => {
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Address').fill('cookies');
    // Its readers know the old one: saving the text leaves it, and says so.
    await save();
    await page.getByText('The address is still /cookie-rules').waitFor();
    const moved = answered('PUT', /\/address$/);
    await page.getByRole('button', { name: 'Change the address' }).click();
    await moved;
    await page.getByText('Former addresses that lead here').waitFor();
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
    // Somebody else saves meanwhile: what is typed here stays.
    const other = await context.newPage();
    await other.goto(address, { waitUntil: 'networkidle' });
    await other.getByLabel('Summary').fill('Somebody else’s.');
    const theirs = other.waitForResponse((response) => response.request().method() === 'PUT');
    await other.getByRole('button', { name: 'Save the draft' }).click();
    await theirs;
    await other.close();
    await page.getByLabel('Summary').fill('Typed and not saved.');
    await page.getByRole('button', { name: 'Take off the site' }).click();
    const withdrawn = answered('DELETE', /\/publication$/);
    await inDialog('Take off the site').click();
    await withdrawn;
    await page.getByText('Nothing: the page was taken off the site.').waitFor();
    assert.equal((await fetch(`${desk.web}/cookies`)).status, 404);
    await page.getByText('You saved this elsewhere meanwhile').waitFor();
    assert.equal(await page.getByLabel('Summary').inputValue(), 'Typed and not saved.');
    const refusal = answered('PUT', /\/draft$/, 409);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await refusal;
    await page.getByRole('button', { name: 'Compare and choose' }).click();
    await inDialog('Put these into the form').waitFor();
    await page.getByRole('radio', { name: 'Saved elsewhere by you' }).check();
    await inDialog('Put these into the form').click();
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Summary').inputValue(), 'Somebody else’s.');
  });

  it('that has not changed is not said to be so once it is off the site', async () => {
    await page.goto(`${desk.web}/admin/legal-pages`, { waitUntil: 'networkidle' });
    await page.locator('main a', { hasText: 'money laundering' }).click();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: /^Publish version/ }).click();
    const same = page.getByText('Nothing has changed since the latest version.');
    await same.waitFor();
    const withdrawn = answered('DELETE', /\/publication$/);
    await page.getByRole('button', { name: 'Take off the site' }).click();
    await inDialog('Take off the site').click();
    await withdrawn;
    await same.waitFor({ state: 'detached' });
  });

  it('did nothing that the pages’ policy forbids', () => {
    assert.deepEqual(refused, []);
  });
});
