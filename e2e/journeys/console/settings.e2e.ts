/** An admin sets the desk up in the console: the mail server, the home page, who may do what. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { eventually } from '../../../apps/api/test/eventually.ts';
import { eventuallyShows, textOf } from '../../support/api.ts';
import { openSettings, saveSettings } from '../../support/settings-form.ts';
import { newAdmin, rememberSettings, sharedDesk } from '../../support/shared-desk.ts';
import { newVisitor, phone } from '../../support/visitor.ts';

const shared = await sharedDesk();
const { desk, browser, mailbox } = shared;
let page: Page;
let restore: () => Promise<void>;

before(async () => {
  page = await newAdmin(shared);
  restore = await rememberSettings(shared, ['mail', 'home-page', 'seo']);
});
after(() => restore());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.locator(`[name="${name}"]`);

describe('the home page', () => {
  /** By the name of its field; those that begin with `+` are buttons that add a row first. */
  const written: readonly (readonly [string, string])[] = [
    ['hero.title', 'Money, exchanged by people.'],
    ['hero.text', 'The opening says this.'],
    ['hero.cta_label', 'Begin here'],
    ['+Add a figure', 'stats.items.3.value'],
    ['stats.items.3.value', '17'],
    ['stats.items.3.label', 'years at the corner'],
    ['rates.title', 'Rates of this minute'],
    ['latest.title', 'Just now'],
    ['how_it_works.title', 'In four steps'],
    ['how_it_works.steps.0.title', 'Say how much'],
    ['features.title', 'What we promise'],
    ['features.items.0.title', 'It stays where it was'],
    ['testimonials.title', 'They say'],
    ['+Add a testimonial', 'testimonials.items.3.quote'],
    ['testimonials.items.3.quote', 'It simply worked.'],
    ['testimonials.items.3.name', 'Ada Example'],
    ['faq.title', 'Asked often'],
    ['faq.items.0.question', 'What does it cost, really?'],
    ['newsletter.title', 'Newsletter'],
    ['footer.note', 'At the corner since 2009.'],
    ['footer.columns.0.links.0.label', 'All rates'],
    ['+Add a network', 'social.0.href'],
    ['social.0.href', 'https://social.example/desk'],
  ];

  it('An admin edits each section, and visitors see all of them', async () => {
    await openSettings(page, desk, 'home-page');
    for (const [name, text] of written) {
      if (name.startsWith('+')) {
        await page.getByRole('button', { name: name.slice(1) }).click();
        await field(text).waitFor();
      } else await field(name).fill(text);
    }
    for (const section of ['stats', 'testimonials']) await field(`${section}.enabled`).check();
    await saveSettings(page);
    await eventuallyShows(desk, '/', (html) => html.includes('Money, exchanged by people.'));
    const guest = await newVisitor(browser);
    await guest.goto(desk.web, { waitUntil: 'networkidle' });
    const body = await guest.locator('body').innerText();
    for (const [name, text] of written) {
      if (/^(\+|social)/.test(name)) continue;
      assert.ok(body.includes(text), `${name} is not shown`);
    }
    await guest.locator('footer a[href="https://social.example/desk"]').waitFor();
    await guest.getByRole('link', { name: 'Begin here' }).waitFor();
  });

  it('An admin orders the sections by their buttons, and switches some off', async () => {
    await openSettings(page, desk, 'home-page');
    const order = page.getByRole('group', { name: 'Order of the sections' });
    const up = order.getByRole('button', { name: 'Move up: Newsletter' });
    while (await up.isEnabled()) await up.press('Enter');
    const questions = order.getByRole('button', { name: 'Move up: Questions' });
    for (let steps = 0; steps < 3; steps += 1) await questions.click();
    await page.locator('[name="order.testimonials"]').uncheck();
    await field('hero.enabled').uncheck();
    await saveSettings(page);
    const guest = await newVisitor(browser);
    // The converter alone opens the page now.
    await eventually('The opening is off', async () => {
      await guest.goto(desk.web);
      return (await guest.locator('h1').allInnerTexts()).join() === 'Cambist';
    });
    await guest.getByRole('textbox', { name: 'You send' }).waitFor();
    assert.deepEqual(await guest.locator('main h2').allInnerTexts(), [
      'Newsletter',
      'Rates of this minute',
      'Just now',
      'Asked often',
      'In four steps',
      'What we promise',
    ]);
  });

  it('An admin previews a draft on a phone, which nobody else sees', async () => {
    await openSettings(page, desk, 'home-page');
    await field('hero.enabled').check();
    await field('hero.title').fill('Only a draft of a heading');
    await button('Preview').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Preview' });
    const draft = { name: 'Only a draft of a heading' };
    await dialog.frameLocator('iframe').getByRole('heading', draft).waitFor();
    await dialog.getByRole('radio', { name: 'Screen' }).focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal((await dialog.locator('iframe').boundingBox())?.width, phone.width);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.getByRole('heading', draft).waitFor();
    assert.equal(await tab.locator('meta[name=robots]').getAttribute('content'), 'noindex');
    await tab.close();
    await page.keyboard.press('Escape');
    assert.doesNotMatch(await textOf(desk, '/'), /Only a draft/);
  });

  it('An admin chooses pictures of the library, which knows where they are used', async () => {
    const name = 'A green board';
    const create = { width: 700, height: 400, channels: 3, background: '#0b6b4c' } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    const choose = async () => {
      const dialog = page.getByRole('dialog');
      const file = { name: 'board.png', mimeType: 'image/png', buffer };
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('textbox').last().fill(name);
      await dialog.getByRole('button', { name: 'Use this picture' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await openSettings(page, desk, 'home-page');
    await page.getByRole('switch', { name: 'Testimonials' }).check();
    await field('testimonials.items.0.portrait').click();
    await choose();
    await saveSettings(page);
    await openSettings(page, desk, 'seo');
    await field('og_image').click();
    await choose();
    await saveSettings(page);
    await eventuallyShows(desk, '/', (html) =>
      /<meta property="og:image" content="[^"]*\/media\/[a-z0-9]{16}-700\.jpg"/.test(html),
    );
    assert.match(await textOf(desk, '/'), /<img[^>]* src="\/media\/[a-z0-9]{16}-700\.webp"/);
    await page.goto(`${desk.web}/admin/media`, { waitUntil: 'networkidle' });
    await page.getByRole('button', { name }).first().click();
    await page.getByRole('dialog').getByText('Search engines and sharing').waitFor();
  });
});

describe('the settings', () => {
  it('An admin names a mail server and tries it; the console says why one refuses', async () => {
    await openSettings(page, desk, 'mail');
    await page.getByLabel('Sender address').fill('not an address');
    await button('Save changes').click();
    await page.getByText('“Sender address” cannot be read as it is written.').first().waitFor();
    await page.getByLabel('Sender address').fill('desk@cambist.example');
    await page.getByLabel('Encryption').selectOption('none');
    await page.getByLabel('Server name').fill('127.0.0.1');
    // No server listens there.
    await page.getByLabel('Port').fill('9');
    await saveSettings(page);
    const send = async () => {
      await page.goto(`${desk.web}/admin/mail`, { waitUntil: 'networkidle' });
      await button('Send a test email').click();
      await button('Send the test email').click();
    };
    await send();
    await page.getByRole('dialog').getByText('The server refused the connection.').waitFor();

    await openSettings(page, desk, 'mail');
    await page.getByLabel('Port').fill(String(mailbox.port));
    await saveSettings(page);
    await send();
    await page.getByText('The server has accepted the email').waitFor();
    await mailbox.read(desk.admin.email, /./);
  });

  it('An admin without a second step cannot demand it, and is asked before permissions change', async () => {
    await openSettings(page, desk, 'security');
    await page.getByLabel('Second step for admins').selectOption('on');
    await button('Save changes').click();
    await page.getByText('Your own account has no second step yet.').first().waitFor();

    const sql = connect(desk.databaseUrl(), 1);
    const [colleague] = await sql<{ id: string }[]>`
      select id from users where role = 'admin' and email <> ${desk.admin.email}`;
    const permissions = async () => {
      const [row] = await sql<{ permissions: string[] }[]>`
        select permissions from users where id = ${colleague?.id ?? ''}`;
      return row?.permissions ?? [];
    };
    assert.ok((await permissions()).includes('money'));
    page.once('dialog', (question) => void question.accept());
    await page.goto(`${desk.web}/admin/users/${colleague?.id}`, { waitUntil: 'networkidle' });
    await page.getByRole('checkbox', { name: 'Money' }).uncheck();
    await button('Save the role').click();
    const question = page.getByRole('dialog', { name: /^Change what .+ may do\?$/ });
    await question.getByText('Currencies, pairs, rates and reserves.').waitFor();
    await question.getByRole('button', { name: 'Not now' }).click();
    assert.ok((await permissions()).includes('money'));
    await button('Save the role').click();
    await question.getByRole('button', { name: 'Change the permissions' }).click();
    await page.getByText(/^Role of .+ saved$/).waitFor();
    assert.ok(!(await permissions()).includes('money'));
    await sql.end();
  });
});
