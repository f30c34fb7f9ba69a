/** An admin writes a legal page, publishes it, announces a change and moves it; a visitor reads along. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { callApi, eventuallyShows, fetchPage, textOf } from '../../support/api.ts';
import { editorText } from '../../support/editor.ts';
import { blockedByPolicy } from '../../support/script-watch.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;
const dayMs = 86_400_000;

describe('a legal page', () => {
  let page: Page;
  let visitor: Page;
  let address = '';
  let blocked: readonly string[] = [];

  before(async () => {
    page = await newAdmin(shared);
    blocked = blockedByPolicy(page.context());
    visitor = await newVisitor(browser);
  });

  const answered = (method: string, path: RegExp, status = 200) =>
    page.waitForResponse(
      (response) =>
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

  it('An admin writes a page; the form keeps changes made while it saves, and names removed HTML', async () => {
    await page.goto(`${desk.web}/admin/legal-pages`, { waitUntil: 'networkidle' });
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

    await editorText(page).focus();
    await page.keyboard.type('We set one cookie.');
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
        '<h2>One</h2><p onclick="alert(1)">We set one cookie.</p><script>alert(1)</script><h2>Two</h2>',
      );
    await save();
    const warning = page.getByText('Not allowed in a text');
    await warning.waitFor();
    assert.match(await warning.innerText(), /onclick of <p>[\s\S]*<script>/);
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    assert.equal(await editorText(page).locator('h2').count(), 2);
  });

  it('A holder of the preview link reads the draft, and everyone reads the published page', async () => {
    await page.getByRole('button', { name: 'Preview link' }).click();
    const link = await page.getByRole('link', { name: 'Open the preview' }).getAttribute('href');
    await page.keyboard.press('Escape');
    const answer = await visitor.goto(link ?? '');
    assert.match(answer?.headers()['x-robots-tag'] ?? '', /noindex/);
    await visitor.getByRole('heading', { name: 'Cookie rules', level: 1 }).waitFor();
    await visitor.getByText('This is a preview').waitFor();
    assert.equal((await fetchPage(desk, '/cookie-rules')).status, 404);

    await publish(1);
    await eventuallyShows(desk, '/cookie-rules', (html) => html.includes('We set one cookie.'));
    await visitor.goto(`${desk.web}/cookie-rules`);
    await visitor.getByText('Version 1', { exact: true }).waitFor();
    assert.equal(await visitor.locator('meta[name=robots]').count(), 0);
  });

  it('A visitor reads the version in force, the announced one and the former one', async () => {
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
    await eventuallyShows(desk, '/cookie-rules', (html) => html.includes('A new version comes'));
    await visitor.reload();
    await visitor.getByText('We set one cookie.').waitFor();
    await visitor.getByRole('link', { name: 'Read the new version' }).click();
    await visitor.waitForURL(/\?version=2$/);
    await visitor.getByText('We set two cookies.').waitFor();
    assert.equal(await visitor.locator('meta[name=robots][content=noindex]').count(), 1);

    await page.getByLabel('What changes').fill('From today on after all.');
    await page.getByLabel('Summary').fill('Which two cookies we set.');
    await publish(3);
    await eventuallyShows(desk, '/cookie-rules', (html) => html.includes('We set two cookies.'));
    await visitor.goto(`${desk.web}/cookie-rules`);
    await visitor.getByRole('link', { name: 'Version 1', exact: true }).click();
    await visitor.waitForURL(/\?version=1$/);
    await visitor.getByText('We set one cookie.').waitFor();
    await visitor.getByText('This is not the version in force').waitFor();
    await visitor.getByRole('link', { name: 'Read the version in force' }).click();
    await visitor.waitForURL(/\/cookie-rules$/);
  });

  it('An admin restores a revision as the draft, moves the page and changes the order by keyboard', async () => {
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
    assert.match(await textOf(desk, '/cookie-rules'), /We set two cookies\./);

    await page.waitForLoadState('networkidle');
    await page.getByLabel('Address').fill('cookies');
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText('Former addresses that redirect here').waitFor();
    await eventuallyShows(desk, '/cookies', (html) => html.includes('We set two cookies.'));
    const former = await fetchPage(desk, '/cookie-rules?version=1');
    assert.deepEqual([former.status, former.headers.get('location')], [301, '/cookies?version=1']);

    await page.goto(`${desk.web}/admin/legal-pages`, { waitUntil: 'networkidle' });
    const ordered = answered('PUT', /\/order$/);
    await page.getByRole('button', { name: 'Move up: Cookie rules' }).press('Enter');
    await ordered;
    const pages = await callApi<{ slug: string }[]>(
      page.context(),
      desk,
      'GET',
      '/api/legal-pages',
    );
    assert.deepEqual(
      pages.map(({ slug }) => slug),
      ['terms', 'privacy', 'cookies', 'aml-policy'],
    );
  });

  it('An admin takes a page off the site and puts it back, but not the terms that sign-up needs', async () => {
    const open = async (name: string) => {
      await page.goto(`${desk.web}/admin/legal-pages`, { waitUntil: 'networkidle' });
      await page.getByRole('link', { name }).first().click();
      await page.getByRole('button', { name: 'Unpublish' }).click();
    };
    await open('Terms of service');
    await inDialog('Unpublish').click();
    const needed = page.getByRole('dialog').getByText('Choose another page there first.');
    await needed.waitFor();

    await open('Policy against money laundering');
    const sure = page.getByRole('dialog');
    await sure.getByRole('button', { name: 'Unpublish' }).click();
    const isInFooter = (html: string) => html.includes('href="/aml-policy"');
    await eventuallyShows(desk, '/contact', (html) => !isInFooter(html));
    assert.equal((await fetchPage(desk, '/aml-policy')).status, 404);
    await page.getByRole('button', { name: 'Publish again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Publish the page again?' });
    await dialog.getByText(/Version \d is public again .* No new version is made\./).waitFor();
    await dialog.getByRole('button', { name: 'Publish again' }).click();
    await eventuallyShows(desk, '/contact', isInFooter);
    assert.deepEqual(blocked, [], 'The policy had nothing to block.');
  });
});
