/**
 * What an admin makes of the whole site in the browser, as visitors meet it: a
 * style sheet of the desk's own, whatever is hidden in it, and a closed site.
 * What the policy stops is collected, by the browser and by the service.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { styleAttacks } from '../packages/html/src/attacks.ts';
import { openOffice, withinASecond, type Office } from './office.ts';
import { newVisitor, phone, signInAsAdmin } from './visitor.ts';

describe('the whole site', () => {
  let at: Office;
  let office: Page;

  before(async () => {
    at = await openOffice();
    office = at.page;
  });
  after(() => at?.close());

  /** Every text that the API takes; the others it refuses. */
  const attacks = styleAttacks.filter((attack) => !/[\0\f]/.test(attack));

  it('is dressed by a style sheet of the desk’s, but not where people sign in or work', async () => {
    await at.openForm('custom-css');
    const field = office.locator('[name=css]');
    await field.fill('main { outline: 7px solid rgb(1, 2, 3) }\nh1 { color red }');
    await office.getByText('Line 2, column').waitFor();
    await field.fill('main { outline: 7px solid rgb(1, 2, 3) }');
    await office.getByText('Browsers skip').waitFor({ state: 'hidden' });
    await at.save('custom-css');
    await withinASecond(
      () => at.textOf('/'),
      (html) => html.includes('7px solid'),
    );

    const visitor = await newVisitor(at.browser);
    const outline = () =>
      visitor
        .locator('main')
        .evaluate((main) => main.ownerDocument.defaultView.getComputedStyle(main).outlineWidth);
    for (const path of ['/', '/rates', '/blog', '/contact', '/no-such-page']) {
      await visitor.goto(at.desk.web + path, { waitUntil: 'networkidle' });
      assert.equal(await outline(), '7px', path);
    }
    for (const path of ['/signin', '/signup', '/forgot-password']) {
      await visitor.goto(at.desk.web + path, { waitUntil: 'networkidle' });
      assert.notEqual(await outline(), '7px', path);
      assert.equal(await visitor.locator('#custom-style').count(), 0, path);
    }
    // From one to the other without loading anew, and back.
    await visitor.goto(`${at.desk.web}/contact`, { waitUntil: 'networkidle' });
    await visitor.locator('a[href="/signin"]').last().click();
    await visitor.waitForURL(/\/signin$/);
    await visitor.getByRole('heading', { level: 1 }).waitFor();
    assert.notEqual(await outline(), '7px');
    await visitor.goBack({ waitUntil: 'networkidle' });
    await withinASecond(outline, (width) => width === '7px');
    await visitor.context().close();

    await office.goto(`${at.desk.web}/admin`, { waitUntil: 'networkidle' });
    assert.equal(await office.locator('#custom-style').count(), 0);
  });

  it('runs nothing that is hidden in a style sheet', async () => {
    const visitor = await newVisitor(at.browser);
    const alarms: string[] = [];
    visitor.on('dialog', (dialog) => {
      alarms.push(dialog.message());
      void dialog.dismiss();
    });
    visitor.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) alarms.push(message.text());
    });
    await at.openForm('custom-css');
    for (const [number, attack] of attacks.entries()) {
      await office.locator('[name=css]').fill(`/* attack ${number} */ ${attack}`);
      await at.save('custom-css');
      await withinASecond(
        () => at.textOf('/contact'),
        (html) => html.includes(`<style id="custom-style">/* attack ${number} */`),
      );
      await visitor.goto(`${at.desk.web}/contact`);
      assert.equal(await visitor.locator('#custom-style').count(), 1, attack);
      // Had the element ended early, its rest would stand in the page.
      const spilled = await visitor.locator('body').innerText();
      assert.doesNotMatch(spilled, /alert\(1\)/, attack);
      assert.ok(await visitor.getByRole('heading', { level: 1 }).isVisible(), attack);
      assert.deepEqual(alarms, [], attack);
    }
    await visitor.context().close();
  });

  it('has the policy stop what gets in all the same', async () => {
    await at.openForm('custom-css');
    await office
      .locator('[name=css]')
      .fill('main { background: url(https://elsewhere.test/pixel.png) }');
    await at.save('custom-css');
    await withinASecond(
      () => at.textOf('/contact'),
      (html) => html.includes('elsewhere.test'),
    );
    const visitor = await newVisitor(at.browser);
    // Source, since these tests know no DOM.
    await visitor.addInitScript(`document.addEventListener('securitypolicyviolation', (event) => {
      document.documentElement.dataset.blocked = event.effectiveDirective + ' ' + event.blockedURI;
    });`);
    await visitor.goto(`${at.desk.web}/contact`);
    await visitor.locator('html[data-blocked^="img-src https://elsewhere.test"]').waitFor();
    await visitor.context().close();
    await at.openForm('custom-css');
    await office.locator('[name=css]').fill('');
    await at.save('custom-css');
    await withinASecond(
      () => at.textOf('/'),
      (html) => !html.includes('custom-style'),
    );
  });

  const message = (writer: Page) => writer.getByLabel('Your message');

  async function writes(): Promise<Page> {
    const writer = await newVisitor(at.browser);
    await writer.goto(`${at.desk.web}/contact`, { waitUntil: 'networkidle' });
    await writer.getByLabel('Your name').fill('Ada');
    await writer.getByLabel('E-mail address').fill('ada@example.com');
    await writer.getByLabel('What it is about').selectOption('rates');
    await message(writer).fill('A long message.');
    return writer;
  }

  /** Reads so where they are, below on a telephone, and has the message still. */
  async function isRefused(writer: Page): Promise<void> {
    await writer.getByRole('button', { name: 'Send the message' }).click();
    const refusal = writer.getByRole('alert').filter({ hasText: 'nothing was sent or saved' });
    await refusal.waitFor();
    await withinASecond(
      async () => (await refusal.boundingBox())?.y ?? -1,
      (y) => y >= 0 && y < phone.height,
    );
    assert.equal(await message(writer).inputValue(), 'A long message.');
    await writer.context().close();
  }

  it('closes for maintenance, and lets in who can open it again', async () => {
    const writer = await writes();
    await at.openForm('general');
    await office.getByRole('switch', { name: 'Close the site' }).check();
    await office.getByLabel('Message to visitors').fill('We move to a new hall.');
    await office.getByLabel('Minutes until visitors should return').fill('45');
    await office.keyboard.press('Enter');
    const question = office.getByRole('dialog', { name: 'Close the site?' });
    await question.getByRole('button', { name: 'Not now' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal((await at.read('/')).status, 200);
    await office.keyboard.press('Enter');
    await at.save('general', () =>
      question.getByRole('button', { name: 'Close the site', exact: true }).click(),
    );
    const closed = await withinASecond(
      () => at.read('/'),
      ({ status }) => status === 503,
    );
    assert.equal(closed.headers.get('retry-after'), '2700');
    assert.equal(closed.headers.get('x-robots-tag'), 'noindex');
    assert.equal(closed.headers.get('cache-control'), 'no-store');

    await isRefused(writer);
    const visitor = await newVisitor(at.browser);
    for (const path of ['/', '/blog', '/preview', '/signup', '/no-such-page']) {
      const answer = await visitor.goto(at.desk.web + path, { waitUntil: 'networkidle' });
      assert.equal(answer?.status(), 503, path);
      await visitor.getByRole('heading', { name: 'We’re working on the site' }).waitFor();
      await visitor.getByText('We move to a new hall.').waitFor();
      await visitor.getByText('in 45 minutes').waitFor();
    }
    // Who has made an exchange comes to it.
    await visitor.getByRole('link', { name: 'Go to my exchanges' }).click();
    await visitor.waitForURL(/\/signin\?.*exchanges$/);
    for (const path of ['/sitemap.xml', '/blog/rss.xml']) {
      assert.equal((await at.read(path)).status, 503, path);
    }
    assert.equal((await at.read('/robots.txt')).status, 200);
    // The service goes on; its feeds are empty, and valid.
    assert.equal((await fetch(`${at.desk.api}/api/public/rates-showcase`)).status, 200);
    const feed = await fetch(`${at.desk.api}/api/public/export/bestchange.xml`);
    assert.equal(feed.status, 200);
    assert.doesNotMatch(await feed.text(), /<item>/);

    // Whoever lost the session meanwhile comes in again.
    await office.context().clearCookies();
    await office.goto(`${at.desk.web}/admin`, { waitUntil: 'networkidle' });
    assert.match(office.url(), /\/signin/);
    await signInAsAdmin(office, at.desk);
    assert.equal((await office.goto(`${at.desk.web}/rates`))?.status(), 200);
    await office.getByText('The site is closed for visitors and customers.').waitFor();
    await at.openForm('general');
    await office.getByRole('switch', { name: 'Close the site' }).uncheck();
    await at.save('general');
    await withinASecond(
      () => at.read('/'),
      ({ status }) => status === 200,
    );

    await office.goto(`${at.desk.web}/admin/settings/general/revisions?number=3`, {
      waitUntil: 'networkidle',
    });
    await office.getByRole('button', { name: 'Restore', exact: true }).click();
    await question.getByRole('button', { name: 'Not now' }).click();
    assert.equal((await at.read('/')).status, 200);
    await visitor.context().close();
  });
});
