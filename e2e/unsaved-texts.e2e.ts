/** A text and its address in the console, not yet saved: undone, typed before the script, and moved by somebody else. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openOffice, type Office } from './office.ts';
import { newTab } from './visitor.ts';

describe('a text that is not yet saved', () => {
  let office: Office;
  let page: Page;
  let web: string;

  before(async () => {
    office = await openOffice();
    ({ page } = office);
    ({ web } = office.desk);
    // The browser's own question to who leaves a form that is not saved.
    page.on('dialog', (dialog) => void dialog.accept());
  });
  after(() => office?.close());

  const text = (of: Page) => of.locator('#body[contenteditable]');
  const title = (of: Page) => of.locator('[name=title]');
  const slug = (of: Page) => of.locator('[name=slug]');
  const press = (of: Page, name: string) =>
    of.getByRole('button', { name, exact: true }).first().click();

  async function open(of: Page, address: string): Promise<void> {
    await of.goto(address, { waitUntil: 'networkidle' });
    await text(of).waitFor();
  }

  /** At the beginning of the text. */
  async function type(of: Page, words: string): Promise<void> {
    const first = text(of).locator('> *').first();
    await first.click({ position: { x: 2, y: 8 } });
    await of.keyboard.press('Home');
    await of.keyboard.type(words);
  }

  async function answered(of: Page, method: string, deed: () => Promise<void>): Promise<number> {
    const answer = of.waitForResponse((response) => response.request().method() === method);
    await deed();
    return (await answer).status();
  }
  const save = (of: Page) => answered(of, 'PUT', () => press(of, 'Save the draft'));

  /** What the editor shows, which is what the form holds. */
  async function shown(): Promise<string> {
    const [words, held] = [
      await text(page).innerText(),
      await page.locator('input#body, input[name=body]').inputValue(),
    ];
    const bare = (some: string) => some.replace(/<[^>]*>|&[a-z]+;|[^a-z0-9]/gi, '');
    assert.equal(bare(words), bare(held));
    return words;
  }

  it('is thrown away, or given up for another, for good: undoing brings back none of it', async () => {
    await page.goto(`${web}/admin/legal-pages`, { waitUntil: 'networkidle' });
    await page.locator('main a[href^="/admin/legal-pages/"]:not([href$="/new"])').first().click();
    await page.waitForURL(/\/admin\/legal-pages\/[0-9a-f-]{36}$/);
    const address = page.url();
    await open(page, address);
    const [words, name] = [await shown(), await title(page).inputValue()];
    await type(page, 'Mine ');
    await page.getByText('Unsaved changes').waitFor();

    // Its script comes late, and a field is typed into before.
    let come: () => void = () => undefined;
    const coming = new Promise<void>((resolve) => (come = resolve));
    await page.route('**/_app/**/*.js', (route) => coming.then(() => route.continue()));
    await page.goto(address, { waitUntil: 'domcontentloaded' });
    await title(page).fill('Typed early');
    come();
    await page.getByText('What you typed is back').waitFor();
    await text(page).waitFor();
    await page.unroute('**/_app/**/*.js');
    assert.match(await shown(), /^Mine /);
    assert.equal(await title(page).inputValue(), 'Typed early');

    await press(page, 'Throw it away');
    await text(page).focus();
    await page.keyboard.press('Control+z');
    assert.equal(await shown(), words);
    assert.equal(await title(page).inputValue(), name);

    await type(page, 'Mine ');
    const other = await newTab(page.context());
    await open(other, address);
    await type(other, 'Theirs ');
    assert.equal(await save(other), 200);
    await other.close();
    assert.equal(await save(page), 409);
    await press(page, 'Compare and choose');
    await page.getByRole('dialog').getByRole('radio', { name: 'Saved elsewhere by you' }).check();
    await press(page, 'Put these into the form');
    await text(page).focus();
    await page.keyboard.press('Control+z');
    assert.equal(await shown(), `Theirs ${words}`);
    // What is typed from there on is undone as ever.
    await type(page, 'More ');
    assert.match(await shown(), /^More /);
    await page.keyboard.press('Control+z');
    assert.equal(await shown(), `Theirs ${words}`);
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
  });

  it('takes along the address that was typed here, and moves back no other', async () => {
    await page.goto(`${web}/admin/legal-pages/new`, { waitUntil: 'networkidle' });
    await page.getByLabel('Title').fill('Not yet public');
    await press(page, 'Begin writing');
    await page.waitForURL(/\/admin\/legal-pages\/[0-9a-f-]{36}$/);
    const address = page.url();
    await open(page, address);
    const other = await newTab(page.context());
    const moved = async (to: string) => {
      await open(other, address);
      await slug(other).fill(to);
      assert.equal(await answered(other, 'PUT', () => press(other, 'Change the address')), 200);
    };
    const stored = async () => {
      await open(other, address);
      return slug(other).inputValue();
    };

    await moved('moved-elsewhere');
    await type(page, 'Words. ');
    await save(page);
    await page.getByText('Unsaved changes').waitFor({ state: 'hidden' });
    assert.equal(await slug(page).inputValue(), 'moved-elsewhere');
    assert.equal(await stored(), 'moved-elsewhere');

    await slug(page).fill('typed-here');
    await open(page, address);
    assert.equal(await slug(page).inputValue(), 'typed-here');
    await save(page);
    await page.getByRole('button', { name: 'Change the address' }).waitFor({ state: 'detached' });
    assert.equal(await stored(), 'typed-here');

    await slug(page).fill('typed-again');
    await moved('moved-again');
    await save(page);
    // Both typed one: neither takes the other's place unseen.
    await page.getByText('Saved meanwhile').waitFor();
    assert.equal(await stored(), 'moved-again');
    await press(page, 'Compare and choose');
    await press(page, 'Put these into the form');
    assert.equal(await answered(page, 'PUT', () => press(page, 'Change the address')), 200);
    assert.equal(await stored(), 'typed-again');
    await other.close();
  });

  async function openPost(): Promise<void> {
    await page.goto(`${web}/admin/blog`, { waitUntil: 'networkidle' });
    await page.locator('main a[href^="/admin/blog/"]:not([href$="/new"])').first().click();
    await page.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
    await text(page).waitFor();
  }

  it('of a post that somebody else has saved is left by Back, and offered again by Forward', async () => {
    await openPost();
    const address = page.url();
    const other = await newTab(page.context());
    await open(other, address);
    assert.equal(await answered(other, 'PUT', () => type(other, 'Theirs ')), 200);
    await other.close();
    assert.equal(await answered(page, 'PUT', () => type(page, 'Mine ')), 409);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');

    await page.evaluate('history.back()');
    await page.waitForURL(/\/admin\/blog$/);
    await page.getByRole('heading', { name: 'Blog', level: 1 }).waitFor();
    await page.goForward();
    await page.waitForURL(address);
    await page.getByText('Text that was never saved').waitFor();
    await press(page, 'Put it back');
    await text(page).getByText('Mine ').waitFor();
  });

  it('of a post is said to be lost by leaving it where the browser could not keep it either', async () => {
    await openPost();
    await page.evaluate('Storage.prototype.setItem = () => { throw new Error("It is full.") }');
    await page.route(/\/draft$/, (route) => route.abort());
    await type(page, 'Lost ');
    const question = page.waitForEvent('dialog');
    await page.locator('main a[href="/admin/blog"]').first().click();
    assert.match(
      (await question).message(),
      /^Leave without saving\? What you changed will be lost/,
    );
    await page.waitForURL(/\/admin\/blog$/);
  });
});
