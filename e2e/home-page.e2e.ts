/** An admin edits each section of the home page, orders them and looks at a draft. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { openAnew } from './office.ts';
import { newVisitor, phone, screen, signInAsAdmin } from './visitor.ts';

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

describe('the home page in the settings', () => {
  let desk: Desk;
  let browser: Browser;
  let admin: Page;
  let guest: Page;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    admin = await newVisitor(browser, { viewport: screen });
    guest = await newVisitor(browser, { viewport: phone });
    await signInAsAdmin(admin, desk);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const field = (name: string) => admin.locator(`[name="${name}"]`);
  const open = (slug: string) => openAnew(admin, `${desk.web}/admin/settings/${slug}`);

  async function save(): Promise<void> {
    const saved = admin.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.status() === 200,
    );
    await admin.getByRole('button', { name: 'Save changes' }).click();
    await saved;
  }

  /** Whether the public page has it within a second of now. */
  async function isSoonPublic(text: string): Promise<number> {
    const began = performance.now();
    for (;;) {
      const page = await (await fetch(desk.web)).text();
      const passed = performance.now() - began;
      if (page.includes(text)) return passed;
      assert.ok(passed < 1000, `“${text}” is not on the page after ${passed} ms.`);
    }
  }

  const visitSoon = () => guest.waitForTimeout(1000).then(() => guest.goto(desk.web));
  const headings = () => guest.locator('main h2').allInnerTexts();

  it('is edited section by section, and shows each of them within a second', async () => {
    await open('home-page');
    for (const [name, text] of written) {
      if (name.startsWith('+')) {
        await admin.getByRole('button', { name: name.slice(1) }).click();
        await field(text).waitFor();
      } else await field(name).fill(text);
    }
    for (const section of ['stats', 'testimonials']) await field(`${section}.enabled`).check();
    await save();
    await isSoonPublic('Money, exchanged by people.');

    await guest.goto(desk.web, { waitUntil: 'networkidle' });
    const body = await guest.locator('body').innerText();
    for (const [name, text] of written) {
      if (/^(\+|social)/.test(name)) continue;
      assert.ok(body.includes(text), `${name} is not shown`);
    }
    await guest.locator('footer a[href="https://social.example/desk"]').waitFor();
    await guest.getByRole('link', { name: 'Begin here' }).waitFor();
  });

  it('opens with the converter alone where the opening is switched off', async () => {
    await open('home-page');
    await field('hero.enabled').uncheck();
    await save();
    await guest.goto(desk.web, { waitUntil: 'networkidle' });
    assert.deepEqual(await guest.locator('h1').allInnerTexts(), ['Cambist']);
    await guest.getByRole('textbox', { name: 'You send' }).waitFor();
    await open('home-page');
    await field('hero.enabled').check();
    await save();
    await isSoonPublic('Money, exchanged by people.');
  });

  it('has its sections in the order that the buttons give them', async () => {
    await open('home-page');
    const order = admin.getByRole('group', { name: 'Order of the sections' });
    const up = order.getByRole('button', { name: 'Move up: Newsletter' });
    while (await up.isEnabled()) {
      await up.focus();
      await admin.keyboard.press('Enter');
    }
    for (let steps = 0; steps < 3; steps += 1)
      await order.getByRole('button', { name: 'Move up: Questions' }).click();
    await save();
    await isSoonPublic('Newsletter');
    await guest.goto(desk.web);
    assert.deepEqual(await headings(), [
      'Newsletter',
      'Rates of this minute',
      'Just now',
      'Asked often',
      'In four steps',
      'What we promise',
      'They say',
    ]);
  });

  it('loses a section that is switched off, and one with nothing in it', async () => {
    await open('home-page');
    await admin.locator('[name="order.testimonials"]').uncheck();
    assert.equal(await field('testimonials.enabled').isChecked(), false);
    const step = /^Remove: /;
    const steps = admin.locator('section', { hasText: 'How it works' }).last();
    while (await steps.getByRole('button', { name: step }).count()) {
      await steps.getByRole('button', { name: step }).first().click();
    }
    await save();
    await visitSoon();
    const shown = await headings();
    assert.ok(!shown.includes('They say') && !shown.includes('In four steps'), shown.join());
    assert.ok(shown.includes('What we promise'));
  });

  it('is looked at as a draft, which nobody else sees', async () => {
    await open('home-page');
    await field('hero.title').fill('Only a draft of a heading');
    await admin.getByRole('button', { name: 'Preview', exact: true }).focus();
    await admin.keyboard.press('Enter');
    const dialog = admin.getByRole('dialog', { name: 'Preview' });
    const frame = dialog.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Only a draft of a heading' }).waitFor();
    // By the keyboard the page becomes as narrow as a telephone.
    await dialog.getByRole('radio', { name: 'Screen' }).focus();
    await admin.keyboard.press('ArrowLeft');
    assert.equal((await dialog.locator('iframe').boundingBox())?.width, phone.width);
    const [tab] = await Promise.all([
      admin.context().waitForEvent('page'),
      dialog.getByRole('button', { name: 'Open in a new tab' }).click(),
    ]);
    await tab.getByRole('heading', { name: 'Only a draft of a heading' }).waitFor();
    assert.equal(await tab.locator('meta[name=robots]').getAttribute('content'), 'noindex');
    await tab.close();
    await admin.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    assert.ok(!(await (await fetch(desk.web)).text()).includes('Only a draft'));

    await field('hero.title').fill('');
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    await admin
      .getByText(/Heading.* is required|Heading.* must be at least/)
      .first()
      .waitFor();
  });

  it('shows the draft to admins alone, in frames of this site alone, and keeps it nowhere', async () => {
    const path = `${desk.web}/admin/settings/home-page/preview`;
    const answer = admin.waitForResponse((each) => each.url() === path);
    await open('home-page');
    await admin.getByRole('button', { name: 'Preview', exact: true }).click();
    const headers = await (await answer).allHeaders();
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['x-robots-tag'], 'noindex');
    assert.match(headers['content-security-policy'] ?? '', /frame-ancestors 'self'/);
    await admin.keyboard.press('Escape');

    const sent = {
      method: 'POST',
      body: new URLSearchParams({ draft: '{}' }),
      redirect: 'manual',
    } as const;
    const stranger = await fetch(path, { ...sent, headers: { origin: desk.web } });
    assert.match(stranger.headers.get('location') ?? String(stranger.status), /signin|403/);
  });

  it('shows pictures of the library, which knows where they stand', async () => {
    const [color, name] = ['#0b6b4c', 'A green board'];
    const picture = sharp({ create: { width: 700, height: 400, channels: 3, background: color } });
    const buffer = await picture.png().toBuffer();
    async function choose(): Promise<void> {
      const dialog = admin.getByRole('dialog');
      const file = { name: 'board.png', mimeType: 'image/png', buffer };
      await dialog.locator('input[type=file]').setInputFiles(file);
      await dialog.getByRole('textbox').last().fill(name);
      await dialog.getByRole('button', { name: 'Use this picture' }).click();
      await dialog.waitFor({ state: 'hidden' });
    }

    await open('home-page');
    await admin.getByRole('switch', { name: 'Testimonials' }).check();
    await field('testimonials.items.0.portrait').click();
    await choose();
    await save();
    await open('seo');
    await field('og_image').click();
    await choose();
    await save();
    await visitSoon();
    const card = (key: string) => guest.locator(`meta[property="${key}"]`).getAttribute('content');
    assert.match((await card('og:image')) ?? '', /\/media\/[a-z0-9]{16}-700\.jpg$/);
    assert.equal(await card('og:image:alt'), name);
    const portrait = guest.locator('figure img').first();
    assert.match((await portrait.getAttribute('src')) ?? '', /^\/media\/[a-z0-9]{16}-700\.webp$/);
    await admin.goto(`${desk.web}/admin/media`, { waitUntil: 'networkidle' });
    await admin.getByRole('button', { name }).first().click();
    await admin.getByRole('dialog').getByText('Search engines and sharing').waitFor();
  });

  it('stays as narrow as a telephone, however long a word of the desk is', async () => {
    const word = 'Wechselkursbenachrichtigungen';
    // With all sections, as on a new desk.
    await open('home-page/revisions?number=1');
    await admin.getByRole('button', { name: 'Restore', exact: true }).click();
    await admin.waitForURL(/\/admin\/settings\/home-page$/);
    await open('home-page');
    for (const name of ['hero.title', 'rates.title', 'latest.title', 'how_it_works.title'])
      await field(name).fill(word);
    for (const name of ['features.title', 'faq.title', 'newsletter.title', 'newsletter.intro'])
      await field(name).fill(word + word);
    for (const name of ['how_it_works.steps.0.title', 'faq.items.0.question', 'footer.note'])
      await field(name).fill(word + word);
    await save();
    await isSoonPublic(word + word);
    await guest.goto(desk.web);
    assert.equal(await guest.evaluate('document.documentElement.scrollWidth'), phone.width);
  });
});
