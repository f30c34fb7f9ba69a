/**
 * A script in the head of a post: nothing runs until the operator switches scripts on;
 * then it runs on that post alone, and nowhere once they are switched off again.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { editorText } from './editor.ts';
import { openOffice, withinASecond, type Office } from './office.ts';
import { newVisitor } from './visitor.ts';
import { watched } from './watched.ts';

const head = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Thing","name":"Beside it"}</script>
<script>document.documentElement.dataset.ran = "yes"; window.kept = true;</script>`;
const address = '/blog/with-a-script';

describe('a script in the head of a post', () => {
  let at: Office;
  let office: Page;
  let guest: Page;
  let guestSaw: string[];
  let editor = '';

  before(async () => {
    at = await openOffice();
    office = at.page;
    guest = await newVisitor(at.browser);
    guestSaw = watched(guest);
  });
  after(() => at?.close());

  const ran = () => guest.locator('html').getAttribute('data-ran');
  const structured = () => guest.locator('script[type="application/ld+json"]').allTextContents();

  async function switchScripts(to: boolean): Promise<void> {
    await at.openForm('security');
    const box = office.getByLabel('Let posts run scripts of their own');
    await box.setChecked(to);
    await at.save('security');
  }

  async function publish(): Promise<number> {
    const answered = office.waitForResponse((answer) => answer.url().endsWith('/publication'));
    await office.getByRole('button', { name: /^Publish/ }).click();
    const dialog = office.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Publish/ }).click();
    return (await answered).status();
  }

  async function openEditor(): Promise<void> {
    await office.goto(editor, { waitUntil: 'networkidle' });
  }

  it('is refused in words while scripts are switched off', async () => {
    await office.goto(`${at.desk.web}/admin/blog/new`, { waitUntil: 'networkidle' });
    await office.getByLabel('Title').fill('With a script');
    await office
      .getByRole('button', { name: /begin|create|write/i })
      .first()
      .click();
    await office.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    editor = office.url();
    await editorText(office).fill('A post that brings a script.');
    await office.locator('[name=head_script]').fill(head);
    await office.getByText('Scripts are switched off').waitFor();
    assert.equal(await publish(), 422);
    await office.getByText('must have the type application/ld+json').first().waitFor();
    assert.equal((await at.read(address)).status, 404);
  });

  it('runs on that post alone once they are switched on, without loosening its policy', async () => {
    await switchScripts(true);
    await openEditor();
    await office.getByText('Scripts here will run for every reader').waitFor();
    assert.equal(await publish(), 200);
    await office.getByText('Scripts of this post run on its public page').waitFor();

    await guest.goto(at.desk.web + address, { waitUntil: 'networkidle' });
    assert.equal(await ran(), 'yes');
    assert.match((await structured()).join(), /Beside it/);
    const page = await at.read(address);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|strict-dynamic|https:\/\//);
    const other = await at.read('/blog');
    assert.equal(
      (other.headers.get('content-security-policy') ?? '').includes("script-src 'self'"),
      true,
    );
    // Asked again with its tag, it is the same page; nobody else has the script.
    const etag = page.headers.get('etag') ?? '';
    assert.equal((await at.read(address, { 'if-none-match': etag })).status, 304);
    for (const path of ['/', '/blog', '/contact', '/blog/what-a-rate-really-costs']) {
      assert.doesNotMatch(await at.textOf(path), /dataset\.ran/, path);
      await guest.goto(at.desk.web + path, { waitUntil: 'networkidle' });
      assert.equal(await ran(), null, path);
    }
    assert.deepEqual(guestSaw, []);
  });

  it('runs for who comes by a link, and not on with who goes by one', async () => {
    await guest.goto(`${at.desk.web}/blog`, { waitUntil: 'networkidle' });
    await guest.locator(`main a[href="${address}"]`).first().click();
    await guest.waitForURL(`**${address}`);
    await guest.waitForFunction('document.documentElement.dataset.ran === "yes"');
    await guest.waitForLoadState('networkidle');
    await guest.locator('main a[href="/blog"]').first().click();
    await guest.waitForURL(/\/blog$/);
    await guest.waitForLoadState('networkidle');
    assert.equal(await guest.evaluate('typeof window.kept'), 'undefined');
    assert.equal(await ran(), null);
    await guest.goBack({ waitUntil: 'networkidle' });
    await guest.waitForFunction('document.documentElement.dataset.ran === "yes"');
    await guest.goForward({ waitUntil: 'networkidle' });
    await guest.waitForFunction('typeof window.kept === "undefined"');
    assert.deepEqual(guestSaw, []);
  });

  it('never runs in a preview', async () => {
    await openEditor();
    const answered = office.waitForResponse((answer) => answer.url().endsWith('/preview-link'));
    await office.getByRole('button', { name: 'Preview link' }).click();
    const { data } = (await (await answered).json()) as { data: { url: string } };
    await guest.goto(data.url, { waitUntil: 'networkidle' });
    await guest.getByRole('heading', { name: 'With a script' }).waitFor();
    assert.equal(await ran(), null);
    assert.doesNotMatch(await guest.content(), /dataset\.ran/);
  });

  it('is sent to nobody within a second of being switched off, and structured data still is', async () => {
    await guest.goto(at.desk.web + address, { waitUntil: 'networkidle' });
    const etag = (await at.read(address)).headers.get('etag') ?? '';
    await switchScripts(false);
    const answer = await withinASecond(
      () => at.read(address, { 'if-none-match': etag }),
      ({ status }) => status === 200,
    );
    assert.doesNotMatch(await answer.text(), /dataset\.ran/);
    await guest.reload({ waitUntil: 'networkidle' });
    assert.equal(await ran(), null);
    assert.match((await structured()).join(), /Beside it/);
    await openEditor();
    await office.getByText('Published scripts are not sent').waitFor();
    assert.deepEqual(guestSaw, []);
  });
});
