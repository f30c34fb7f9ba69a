/** A style sheet is previewed in the settings before it is saved. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page, Response } from 'playwright-core';
import { styleAttacks } from '../packages/html/src/attacks.ts';
import { openOffice, type Office } from './office.ts';
import { phone, screen } from './visitor.ts';
import { watched } from './watched.ts';

describe('previews in the settings', () => {
  let at: Office;
  let office: Page;
  let saw: string[];

  before(async () => {
    at = await openOffice();
    office = at.page;
    saw = watched(office);
    office.context().on('page', (tab) => watched(tab, saw));
  });
  after(() => at?.close());

  const dialog = () => office.getByRole('dialog', { name: 'Preview' });
  const frame = () => dialog().frameLocator('iframe');

  async function look(): Promise<void> {
    await office.getByRole('button', { name: 'Preview', exact: true }).focus();
    await office.keyboard.press('Enter');
    await dialog().waitFor();
  }

  async function write(css: string): Promise<void> {
    await at.openForm('custom-css');
    await office.locator('[name=css]').fill(css);
  }

  /** How wide the line is that the style sheet draws around the main part. */
  const outline = (main: ReturnType<Page['locator']>) =>
    main.evaluate(
      (element) => element.ownerDocument.defaultView.getComputedStyle(element).outlineWidth,
    );

  /** The chosen page is in the frame. */
  const opened = (path: string) =>
    frame()
      .locator(`link[rel=canonical][href="${at.desk.web}${path}"]`)
      .waitFor({ state: 'attached' });

  it('show a style sheet on the page that is chosen, and on no other', async () => {
    const missing: string[] = [];
    const noteMissing = (response: Response) => {
      if (response.status() >= 400) missing.push(response.url());
    };
    office.on('response', noteMissing);
    await write('main { outline: 7px solid rgb(1, 2, 3) }');
    await look();
    const chosen = dialog().getByRole('radio', { name: 'Screen', checked: true });
    assert.equal(await chosen.evaluate((radio) => radio.matches(':focus')), true);
    await opened('/');
    assert.equal(await outline(frame().locator('main')), '7px');
    // As a guest has it, whoever looks.
    assert.equal(await frame().getByRole('link', { name: 'Sign in' }).first().isVisible(), true);
    for (const [label, path] of [
      ['All rates', '/rates'],
      ['Blog', '/blog'],
      ['Contact', '/contact'],
    ] as const) {
      await dialog().getByRole('combobox', { name: 'Page' }).selectOption({ label });
      await opened(path);
      assert.equal(await outline(frame().locator('main')), '7px', path);
      assert.equal(await frame().locator('noscript, script').count(), 0, path);
    }
    const [tab] = await Promise.all([
      office.context().waitForEvent('page'),
      dialog().getByRole('button', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await outline(tab.locator('main')), '7px');
    assert.equal(new URL(tab.url()).pathname, '/admin/settings/custom-css/preview');
    office.off('response', noteMissing);
    // Its fonts, above all.
    assert.deepEqual(missing, []);
    await tab.close();
    assert.doesNotMatch(await at.textOf('/contact'), /7px/);
    assert.deepEqual(saw, []);
  });

  it('show the draft in the place of what is saved', async () => {
    await write('main { outline: 5px solid red }');
    await at.save('custom-css');
    await write('');
    await look();
    await opened('/');
    assert.equal(await frame().locator('#custom-style').count(), 0);
    await office.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await at.save('custom-css');
    assert.deepEqual(saw, []);
  });

  it('run nothing that is hidden in a style sheet', async () => {
    for (const attack of styleAttacks.filter((each) => !/[\0\f]/.test(each))) {
      await write(`/* draft */ ${attack}`);
      await look();
      await opened('/');
      assert.equal(await frame().locator('#custom-style').count(), 1, attack);
      assert.doesNotMatch(await frame().locator('body').innerText(), /alert\(1\)/, attack);
      assert.deepEqual(saw, [], attack);
    }
  });

  it('begin as wide as a telephone on one', async () => {
    await write('main { outline: 3px solid red }');
    await look();
    assert.equal(await dialog().getByRole('radio', { name: 'Screen' }).isChecked(), true);
    await office.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await office.setViewportSize(phone);
    await look();
    assert.equal(await dialog().getByRole('radio', { name: 'Phone' }).isChecked(), true);
    await office.keyboard.press('Escape');
    await office.setViewportSize(screen);
  });

  it('are for admins alone, on pages that visitors have, and in frames of this site alone', async () => {
    const path = `${at.desk.web}/admin/settings/custom-css/preview`;
    const form = { draft: '{"css":"h1 { color: red }"}', page: '/contact' };
    const headers = { origin: at.desk.web };
    const own = await office.request.post(path, { headers, form });
    assert.equal(own.status(), 200);
    const sent = own.headers();
    assert.equal(sent['cache-control'], 'no-store');
    assert.equal(sent['x-robots-tag'], 'noindex');
    assert.match(sent['content-security-policy'] ?? '', /frame-ancestors 'self'/);
    assert.doesNotMatch(sent['content-security-policy'] ?? '', /unsafe-inline|allow-scripts/);
    for (const page of ['/admin', '/account', '//elsewhere.test/', 'https://elsewhere.test/']) {
      const other = await office.request.post(path, { headers, form: { ...form, page } });
      assert.equal(other.status(), 404, page);
    }
    const wrong = await office.request.post(path, {
      headers,
      form: { ...form, draft: '{"css":1}' },
    });
    assert.equal(wrong.status(), 422);
    for (const slug of ['custom-css', 'home-page']) {
      const stranger = await fetch(`${at.desk.web}/admin/settings/${slug}/preview`, {
        method: 'POST',
        body: new URLSearchParams(form),
        headers,
        redirect: 'manual',
      });
      assert.match(stranger.headers.get('location') ?? String(stranger.status), /signin|403/);
    }
  });
});
