/** An author writes the blog in the console: text, table, pictures, publication, revisions, two at once. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { callApi, eventuallyShows, fetchPage } from '../../support/api.ts';
import { editorText, give, textSaved } from '../../support/editor.ts';
import { blockedByPolicy } from '../../support/script-watch.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';
import { newTab, newVisitor } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser } = shared;

const fromDocs =
  '<b style="font-weight:normal"><p><span style="text-decoration:line-through">old</span> <span style="text-decoration:underline;-webkit-text-decoration-skip:none">new</span> ' +
  'm<span style="font-size:0.6em;vertical-align:super">2</span> ' +
  '<a href="https://a.example/"><span style="text-decoration:underline">there</span></a></p></b>';
const fromAttacker =
  '<h1>Head</h1><p style="color:red">a <i>c</i> <span style="font-weight:700">d</span>' +
  '<img src="https://tracker.example/p.gif" onerror="alert(1)"></p><script>alert(1)</script>';

describe('a post of the blog', () => {
  let page: Page;
  let address = '';
  let blocked: readonly string[] = [];

  before(async () => {
    page = await newAdmin(shared);
    blocked = blockedByPolicy(page.context());
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const dialog = () => page.getByRole('dialog');
  const published = async (slug: string) => {
    const answer = await fetch(`${desk.api}/api/public/blogs/${slug}`);
    const reply = (await answer.json()) as { data?: { body: string } };
    return { status: answer.status, body: reply.data?.body ?? '' };
  };

  async function empty(): Promise<void> {
    await editorText(page).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
  }

  it('The author begins with a title, and writes by keyboard alone', async () => {
    await page.goto(`${desk.web}/admin/blog`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'New post' }).first().click();
    await page.getByLabel('Title').fill('How a rate is held');
    await button('Start writing').click();
    await page.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    address = page.url();
    assert.equal(await page.getByLabel('Address').first().inputValue(), 'how-a-rate-is-held');

    await editorText(page).focus();
    await page.keyboard.press('Alt+F10');
    const focused = () => page.evaluate<string>('document.activeElement.ariaLabel');
    assert.equal(await focused(), 'Heading');
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), 'Subheading');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Fifteen minutes');
    await page.keyboard.press('Enter');
    await page.keyboard.type('We hold the rate ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('as shown');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' in the offer.');
    await page.keyboard.press('Control+k');
    await page.getByLabel('Link address').fill('javascript:alert(1)');
    await page.keyboard.press('Enter');
    await page.getByText('This is not a valid link address.').waitFor();
    await page.getByLabel('Link address').fill('/rates');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'hidden' });
    await textSaved(page);
  });

  it('The author adds a table and a picture, which must say what it shows', async () => {
    await editorText(page).focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await button('Table').click();
    await page.keyboard.type('Pair');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Held for');
    await button('Column after').click();
    await button('Row below').click();
    assert.equal(await editorText(page).locator('tr').count(), 4);
    assert.equal(await editorText(page).locator('tr').first().locator('th').count(), 4);

    await page.keyboard.press('Control+End');
    await button('Picture').click();
    const buffer = await sharp({
      create: { width: 700, height: 400, channels: 3, background: '#0b6b4c' },
    })
      .png()
      .toBuffer();
    const file = { name: 'rates.png', mimeType: 'image/png', buffer };
    await dialog().locator('input[type=file]').setInputFiles(file);
    await dialog().getByRole('textbox').last().fill('A green board of rates');
    await dialog().getByRole('button', { name: 'Use this picture' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await page.keyboard.type('The board at noon.');
    const image = editorText(page).getByRole('img', { name: 'A green board of rates' });
    assert.match((await image.getAttribute('src')) ?? '', /^\/media\/[a-z0-9]{16}-700\.webp$/);
    await textSaved(page);
    await page.reload();
    await image.waitFor();
  });

  it('Holders of the preview link read the draft, and after publication everyone reads the post', async () => {
    const id = address.split('/').at(-1);
    const path = `/api/admin/blogs/${id}/preview-link`;
    const { url } = await callApi<{ url: string }>(page.context(), desk, 'POST', path);
    const preview = await fetch(url);
    assert.match(await preview.text(), /This is a preview/);
    assert.equal(preview.headers.get('cache-control'), 'no-store');
    assert.equal(preview.headers.get('x-robots-tag'), 'noindex');
    assert.equal((await fetch(`${url}x`)).status, 404);
    assert.equal((await published('how-a-rate-is-held')).status, 404);

    await button('Publish').click();
    await dialog().getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The post is public').first().waitFor();
    const { status, body } = await published('how-a-rate-is-held');
    assert.equal(status, 200);
    assert.match(body, /<h2>Fifteen minutes<\/h2>/);
    assert.match(body, /<strong>as shown<\/strong>/);
    assert.match(body, /<a href="\/rates">\/rates<\/a>/);
    assert.match(body, /<th>Pair<\/th>/);
    assert.match(body, /<img src="\/media\/\w+-700\.webp" alt="A green[^>]*><p>The board at/);
    assert.doesNotMatch(body, /style=/);
    await eventuallyShows(desk, '/blog', (html) => html.includes('How a rate is held'));
    const permissions = ['clipboard-read', 'clipboard-write'];
    const reader = await newVisitor(browser, { permissions });
    await reader.goto(`${desk.web}/blog/how-a-rate-is-held`, { waitUntil: 'networkidle' });
    await reader.getByRole('button', { name: 'Copy link' }).click();
    await reader.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await reader.evaluate('navigator.clipboard.readText()'), reader.url());
  });

  it('The author changes text and address, and the old address leads on after publication', async () => {
    await editorText(page).locator('h2').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' at least');
    await page.getByLabel('Tags').fill('Rates, Guarantees, 24/7');
    await page.getByText('Not saved: 24/7.').waitFor();
    await textSaved(page);
    assert.doesNotMatch((await published('how-a-rate-is-held')).body, /at least/);
    await page.getByLabel('Address').first().fill('held-rates');
    await page.getByText('the old address /blog/how-a-rate-is-held will redirect here').waitFor();
    await textSaved(page);
    await button('Publish changes').click();
    await dialog().getByRole('button', { name: 'Publish changes' }).click();
    await page.getByText('Former addresses').waitFor();
    await eventuallyShows(desk, '/blog/held-rates', (html) => html.includes('at least'));
    const former = await fetchPage(desk, '/blog/how-a-rate-is-held');
    assert.deepEqual([former.status, former.headers.get('location')], [301, '/blog/held-rates']);
  });

  it('The author restores a revision', async () => {
    await page.getByRole('link', { name: 'Revisions' }).click();
    await page
      .getByRole('link', { name: /Published/ })
      .last()
      .click();
    await page.getByRole('heading', { name: /and the present$/ }).waitFor();
    assert.match(await page.locator('ins').first().innerText(), /at least/);
    await page.waitForLoadState('networkidle');
    await button('Restore').click();
    await page.waitForURL(address);
    await editorText(page).locator('h2').waitFor();
    assert.equal(await editorText(page).locator('h2').innerText(), 'Fifteen minutes');
    assert.equal(await page.getByLabel('Address').first().inputValue(), 'how-a-rate-is-held');
  });

  it('The second of two authors reloads or overwrites', async () => {
    const other = await newTab(page.context());
    await other.goto(address, { waitUntil: 'networkidle' });
    await editorText(other).locator('h2').click();
    await other.keyboard.press('End');
    await other.keyboard.type(' of theirs');
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved', { exact: true }).last().waitFor();
    await other.close();

    await editorText(page).locator('h2').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' of mine');
    const conflict = page.getByRole('dialog', { name: /saved this at/ });
    await conflict.getByText('stays in the list of revisions').waitFor();
    await conflict.getByRole('button', { name: 'Overwrite' }).click();
    await conflict.waitFor({ state: 'hidden' });
    await textSaved(page);
    await page.reload();
    await editorText(page).locator('h2').waitFor();
    assert.equal(await editorText(page).locator('h2').innerText(), 'Fifteen minutes of mine');
  });

  it('The form restores unsaved changes after a reload, and marks the field that cannot be saved', async () => {
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.route('**/draft', (route) => route.abort());
    await page.getByLabel('Author').fill('A writer on a train');
    await page.getByText('No answer came').waitFor();
    page.once('dialog', (question) => void question.accept());
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByText('Your unsaved changes were restored').waitFor();
    await page.unroute('**/draft');
    assert.equal(await page.getByLabel('Author').inputValue(), 'A writer on a train');
    await button('Save').click();
    await textSaved(page);
    await page.getByLabel('Original address').fill('htt');
    await page.locator('[name=canonical][aria-invalid=true]').waitFor();
    await page.getByLabel('Original address').fill('');
    await textSaved(page);
  });

  it('The author edits the HTML and pastes from elsewhere, and the editor keeps what a text may hold', async () => {
    await editorText(page).locator('h2').waitFor();
    await button('HTML').click();
    const source = page.locator('textarea#body');
    assert.match(await source.inputValue(), /<h2>Fifteen minutes of mine<\/h2>/);
    await source.fill('<h2 id="kept">Kept</h2><p onclick="x">a</p><table><caption>b</caption>');
    await page.getByText('cannot show caption').waitFor();
    await textSaved(page);
    await button('Back to the editor').click();
    assert.equal(await editorText(page).locator('h2').getAttribute('id'), 'kept');
    assert.equal(await editorText(page).locator('[onclick]').count(), 0);

    const html = async () =>
      (await editorText(page).innerHTML()).replaceAll(/<br class="Pro[^>]*>| dir="\w+"/g, '');
    await empty();
    await give(page, 'paste', fromDocs);
    const text = /^<p><s>old<\/s> new m<sup>2<\/sup> <a [^>]*>there<\/a><\/p>/;
    assert.match(await html(), text);
    await empty();
    await give(page, 'paste', fromAttacker);
    assert.match(await html(), /<h2>Head<\/h2><p>a <em>c<\/em> <strong>d<\/strong><\/p>/);
    const unsafe = editorText(page).locator('script, [style], [onerror], img[src*=tracker]');
    assert.equal(await unsafe.count(), 0);
    await textSaved(page);
  });

  it('The editor adds pictures that are pasted and dropped to the library, one after the other', async () => {
    const use = async (alt: string) => {
      await dialog()
        .getByLabel(/^Alternative text of pasted-/)
        .fill(alt);
      await dialog().getByRole('button', { name: 'Use this picture' }).click();
      await editorText(page).getByRole('img', { name: alt }).waitFor();
    };
    await empty();
    await page.keyboard.type('Before.');
    await give(page, 'paste', '', 1);
    await use('A screenshot');
    await dialog().waitFor({ state: 'detached' });
    await give(page, 'drop', '<img src="https://a.example/a.png">', 2);
    await use('Dropped first');
    await use('Dropped second');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await editorText(page).getByRole('img').count(), 3);
    await textSaved(page);
    assert.deepEqual(blocked, [], 'The policy had nothing to block.');
  });

  it('A post is scheduled by the desk’s clock, which every page names', async () => {
    const far = await newAdmin(shared, { timezoneId: 'Asia/Tokyo' });
    await far.goto(`${desk.web}/admin/blog/new`, { waitUntil: 'networkidle' });
    await far.getByLabel('Title').fill('At its time');
    await far.getByRole('button', { name: 'Start writing' }).click();
    await far.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    await far.waitForLoadState('networkidle');
    await editorText(far).click();
    await far.keyboard.type('Words.');
    await far.getByRole('button', { name: 'Publish', exact: true }).click();
    await far.getByText('At another time').click();
    const year = new Date().getUTCFullYear() + 1;
    await far.getByLabel(/Day and time/).fill(`${year}-12-24T09:00`);
    await far.getByRole('button', { name: 'Schedule' }).click();
    const shown = new RegExp(String.raw`Public from\s+Dec\s24,\s${year},\s09:00 Europe/Lisbon`);
    await far.getByText(shown).waitFor();
  });
});
