/** Forms of the console that are sent before their script has come: nobody's text is written over unseen. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openOffice, type Office } from './office.ts';
import { newTab, newVisitor, screen } from './visitor.ts';

interface Kind {
  readonly path: string;
  /** Two fields; the second is changed by the other writer alone. */
  readonly fields: readonly [string, string];
  readonly save: string;
  readonly conflict: string;
}

describe('forms of the console without script', () => {
  let office: Office;
  let page: Page;
  let plain: Page;
  let web: string;
  const kinds: Kind[] = [];

  before(async () => {
    office = await openOffice();
    ({ page } = office);
    ({ web } = office.desk);
    plain = await newVisitor(office.browser, {
      viewport: screen,
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
    await page.goto(`${web}/admin/campaigns`, { waitUntil: 'networkidle' });
    await press(page, 'Write a campaign');
    await page.waitForURL(/\/admin\/campaigns\/[0-9a-f-]{36}$/);
    const overtaken = 'You saved this elsewhere meanwhile';
    kinds.push({
      path: new URL(page.url()).pathname,
      fields: ['subject', 'preview'],
      save: 'Save',
      conflict: overtaken,
    });
    kinds.push({
      path: await firstOf('legal-pages'),
      fields: ['summary', 'change'],
      save: 'Save the draft',
      conflict: overtaken,
    });
    kinds.push({
      path: await firstOf('blog'),
      fields: ['excerpt', 'meta_title'],
      save: 'Save',
      conflict: 'Somebody else has changed this post meanwhile.',
    });
  });
  after(() => office?.close());

  const press = (of: Page, name: string) =>
    of.getByRole('button', { name, exact: true }).first().click();
  const line = (of: Page, name: string) => of.locator(`[name="${name}"]`);

  async function firstOf(list: string): Promise<string> {
    await page.goto(`${web}/admin/${list}`, { waitUntil: 'networkidle' });
    const links = page.locator(`main a[href^="/admin/${list}/"]`);
    await links.first().waitFor();
    const paths = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    const path = paths.find((each) => each !== null && /\/[0-9a-f-]{36}$/.test(each));
    assert.ok(path, list);
    return path;
  }

  /** In a tab of its own, with its script. */
  async function saveElsewhere({ path, fields, save }: Kind, words: string): Promise<void> {
    const tab = await newTab(page.context());
    await tab.goto(web + path, { waitUntil: 'networkidle' });
    for (const field of fields) await line(tab, field).fill(`${words} ${field}`);
    const answered = tab.waitForResponse((answer) => answer.request().method() === 'PUT');
    await press(tab, save);
    assert.equal((await answered).status(), 200);
    await tab.close();
  }

  async function savedNow({ path, fields }: Kind): Promise<string> {
    const tab = await newTab(plain.context());
    await tab.goto(web + path);
    const now = await line(tab, fields[0]).inputValue();
    await tab.close();
    return now;
  }

  it('are refused again and again, until their writer says whose text goes on', async () => {
    for (const kind of kinds) {
      const [field] = kind.fields;
      await plain.goto(web + kind.path);
      await saveElsewhere(kind, 'Theirs');
      await line(plain, field).fill('Mine');
      for (let time = 1; time <= 2; time += 1) {
        await press(plain, kind.save);
        await plain.getByText(kind.conflict).first().waitFor();
        assert.equal(await line(plain, field).inputValue(), 'Mine');
        assert.equal(await savedNow(kind), `Theirs ${field}`, kind.path);
      }
      assert.equal(await plain.getByRole('button', { name: 'Compare and choose' }).count(), 0);
      // Enter is the plain save, and is refused as that.
      await plain.locator('input[type=text], input:not([type])').first().press('Enter');
      await plain.getByText(kind.conflict).first().waitFor();
      assert.equal(await savedNow(kind), `Theirs ${field}`, kind.path);
      await press(plain, 'Save mine over theirs');
      await plain.getByText(kind.conflict).first().waitFor({ state: 'detached' });
      assert.equal(await savedNow(kind), 'Mine', kind.path);
    }
  });

  it('are compared with what they began with once the script is there', async () => {
    for (const kind of kinds.filter(({ path }) => !path.includes('/blog/'))) {
      const [field, other] = kind.fields;
      await page.goto(web + kind.path, { waitUntil: 'networkidle' });
      await saveElsewhere(kind, 'Other');
      await page.evaluate(`(() => {
        const form = document.querySelector('form:has([name="${field}"])');
        form.querySelector('[name="${other}"]').value = 'Mine alone';
        HTMLFormElement.prototype.submit.call(form);
      })()`);
      await press(page, 'Compare and choose');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Changed in both places.').waitFor();
      assert.equal(await dialog.getByText('Changed only there.').count(), 1);
      assert.equal(await dialog.getByText('Changed only here.').count(), 0);
      assert.equal(await savedNow(kind), `Other ${field}`, kind.path);
      await page.goto('about:blank');
    }
  });

  it('of settings say at once that they wait for it, and their secrets do', async () => {
    await plain.goto(`${web}/admin/settings/sign-in-providers`);
    assert.equal(
      await plain.getByText('Without scripts, settings cannot be saved.').isVisible(),
      true,
    );
    await plain
      .locator('noscript p', { hasText: 'Without scripts, secrets cannot be set or removed.' })
      .waitFor();
    for (const name of ['Save changes', 'Set: Google’s client secret'])
      assert.equal(await plain.getByRole('button', { name, exact: true }).isDisabled(), true, name);
  });

  it('begin one post, one legal page and one campaign, however often they are sent', async () => {
    for (const path of ['/admin/blog/new', '/admin/legal-pages/new', '/admin/campaigns']) {
      await plain.goto(web + path);
      const hidden = await plain
        .locator('form:has([name="once"])')
        .first()
        .locator('input[type=hidden]')
        .all();
      const fields = await Promise.all(
        hidden.map(async (each) => [await each.getAttribute('name'), await each.inputValue()]),
      );
      const form = { ...Object.fromEntries(fields), title: 'Pressed twice', slug: 'pressed-twice' };
      const headers = { accept: 'text/html', origin: web };
      const asked = { form, headers, maxRedirects: 0 };
      const send = async () => (await plain.request.post(web + path, asked)).headers()['location'];
      const begun = [...(await Promise.all([send(), send()])), await send()];
      assert.match(String(begun[0]), /^\/admin\/[a-z-]+\/[0-9a-f-]{36}$/);
      assert.equal(new Set(begun).size, 1, path);
    }
  });

  it('put a page back that was taken off the site, and its draft stays one', async () => {
    const path = '/admin/legal-pages';
    await page.goto(web + path, { waitUntil: 'networkidle' });
    await page
      .getByRole('link', { name: /money laundering/ })
      .first()
      .click();
    await page.waitForURL(/[0-9a-f-]{36}$/);
    await page.waitForLoadState('networkidle');
    await press(page, 'Take off the site');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Take off the site' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await plain.goto(page.url());
    await line(plain, 'summary').fill('A draft.');
    await press(plain, 'Save the draft');
    await press(plain, 'Put back on the site');
    await plain.getByRole('link', { name: 'Open the page' }).waitFor();
    assert.equal(await line(plain, 'summary').inputValue(), 'A draft.');
    assert.equal((await fetch(`${web}/aml-policy`)).status, 200);
  });

  it('wait for their script where nothing could be saved without it', async () => {
    for (const slug of ['general', 'home-page']) {
      const address = `${web}/admin/settings/${slug}`;
      await plain.goto(address);
      await plain.getByText('Saving waits for the script of this page.').waitFor();
      assert.ok(await plain.getByRole('button', { name: 'Save changes' }).isDisabled());
      await plain.locator('main input[type=text], main input:not([type])').first().press('Enter');
      assert.equal(plain.url(), address);
      const form = plain.locator('form:has(.save-bar)');
      assert.equal((await form.getAttribute('method'))?.toUpperCase(), 'POST');
    }
    await office.openForm('general');
    assert.ok(await page.getByRole('button', { name: 'Save changes' }).isEnabled());
    assert.equal(await page.getByText('Saving waits for').count(), 0);
  });
});
