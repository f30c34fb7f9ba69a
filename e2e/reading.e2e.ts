/** What people wrote, as readers meet it: slanted words, either direction of writing, only links that lead somewhere. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openOffice, withinASecond, type Office } from './office.ts';
import { newVisitor, phone, screen } from './visitor.ts';

const slanted =
  '<h2>What <em>locks</em> a rate</h2><p>Read <em>this</em> with care.</p><p>Plain words.</p>';
const arabic =
  '<p>سعر الصرف اليوم</p><ul><li>الدولار</li></ul><table><tr><th>العملة</th><td>1.09</td></tr></table>';

describe('reading', () => {
  let at: Office;
  let office: Page;
  let reader: Page;

  before(async () => {
    at = await openOffice();
    office = at.page;
    reader = await newVisitor(at.browser, { viewport: screen });
  });
  after(() => at?.close());

  /** As the console calls the API. */
  async function ask(method: string, path: string, body?: unknown) {
    const cookies = await office.context().cookies(at.desk.api);
    const token = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '';
    const answer = await office.context().request.fetch(at.desk.api + path, {
      method,
      headers: { origin: at.desk.web, 'X-XSRF-TOKEN': decodeURIComponent(token) },
      ...(body === undefined ? {} : { data: body }),
    });
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()).data;
  }

  async function publishPost(title: string, content: Record<string, unknown>): Promise<string> {
    const begun = await ask('POST', '/api/admin/blogs', { title });
    const path = `/api/admin/blogs/${begun.id}`;
    const saved = await ask('PUT', `${path}/draft`, {
      version: begun.version,
      content: { ...begun.content, ...content },
    });
    await ask('POST', `${path}/publication`, { version: saved.version, publish_at: null });
    return saved.content.slug;
  }

  /** Whether the face that `words` are drawn in was made slanted, and has come. */
  const isSlanted = (words: Locator) =>
    words.evaluate(async (element) => {
      const view = element.ownerDocument.defaultView;
      const { fontStyle, fontWeight, fontFamily } = view.getComputedStyle(element);
      const face = `${fontStyle} ${fontWeight} 16px ${fontFamily.split(',')[0]}`;
      const faces: readonly { style: string; status: string }[] =
        await element.ownerDocument.fonts.load(face);
      return faces.some(({ style, status }) => style === 'italic' && status === 'loaded');
    });

  /** How far the words begin from the right edge of their column, in pixels. */
  const fromTheRight = (words: Locator) =>
    words.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return Math.round(
        element.getBoundingClientRect().right - range.getBoundingClientRect().right,
      );
    });

  it('slants words in text and headings, and loads those faces for nothing else', async () => {
    const slug = await publishPost('Slanted words', { excerpt: 'A few.', body: slanted });
    const fonts: string[] = [];
    reader.on('request', (request) => {
      if (request.resourceType() === 'font') fonts.push(request.url());
    });
    await reader.goto(`${at.desk.web}/contact`, { waitUntil: 'networkidle' });
    assert.deepEqual(
      fonts.filter((url) => url.includes('italic')),
      [],
    );
    await reader.goto(`${at.desk.web}/blog/${slug}`, { waitUntil: 'networkidle' });
    const loaded = fonts.filter((url) => url.includes('italic'));
    assert.equal(loaded.length, 2, loaded.join(' '));
    assert.equal(await isSlanted(reader.locator('.prose p em')), true);
    assert.equal(await isSlanted(reader.locator('.prose h2 em')), true);
  });

  it('begins a text that is written from right to left at the right', async () => {
    const title = 'سعر الصرف';
    const slug = await publishPost(title, { excerpt: 'كلمات قليلة', body: arabic });
    assert.match(slug, /^[a-z]+(-[a-z]+)*$/);
    await reader.goto(`${at.desk.web}/blog/${slug}`);
    for (const part of ['h1', 'h1 + p', '.prose p'])
      assert.equal(await fromTheRight(reader.locator(part)), 0, part);
    const sides = await reader
      .locator('.prose :is(ul, table)')
      .evaluateAll((all) =>
        all.map((part) => part.ownerDocument.defaultView.getComputedStyle(part).direction),
      );
    assert.deepEqual(sides, ['rtl', 'rtl']);
  });

  it('keeps a moving picture apart from the words around it, and none larger than its own pixels', async () => {
    const moving = '<img src="/media/abcdfghjkmnpqrst-320.webp" alt="" width="320" height="200">';
    const bare = '<img src="/media/bcdfghjkmnpqrstv-400.webp" alt="">';
    const body = `<p>before</p>${moving}<p>between</p>${bare}`;
    const slug = await publishPost('Two pictures', { excerpt: 'Two.', body });
    await reader.goto(`${at.desk.web}/blog/${slug}`);
    const [words, picture] = await Promise.all([
      reader.locator('.prose p').first().boundingBox(),
      reader.locator('.prose picture img').boundingBox(),
    ]);
    assert.ok(words && picture);
    assert.equal(Math.round(picture.y - words.y - words.height), 16);
    assert.equal((await reader.locator('.prose > img').boundingBox())?.width, 400);
  });

  it('breaks no figure of the home page, and has two columns of them on a telephone', async () => {
    const { value, version } = await ask('GET', '/api/admin/settings/home-page');
    const figures = ['99.999 %', '1,234,567', '24 hours', '€ 12 000 000'];
    const items = figures.map((figure) => ({ value: figure, label: 'of all that was asked for' }));
    await ask('PUT', '/api/admin/settings/home-page', {
      version,
      value: { ...value, stats: { enabled: true, items } },
    });
    await withinASecond(
      () => at.textOf('/'),
      (html) => html.includes('1,234,567'),
    );
    await reader.setViewportSize(phone);
    await reader.goto(at.desk.web);
    const boxes = await Promise.all(
      (await reader.locator('dd.figure:visible').all()).map((figure) => figure.boundingBox()),
    );
    await reader.setViewportSize(screen);
    assert.deepEqual(
      boxes.map((box) => box && box.height < 40),
      [true, true, true, true],
    );
    assert.equal(new Set(boxes.map((box) => box?.x)).size, 2);
  });

  it('finds a page whose address was typed in capitals', async () => {
    for (const [typed, own] of [
      ['/Terms?version=1', '/terms?version=1'],
      ['/blog/How-To-Read-A-Month-Of-A-Rate', '/blog/how-to-read-a-month-of-a-rate'],
    ] as const) {
      const { status, headers } = await at.read(typed);
      assert.deepEqual([status, headers.get('location')], [308, own]);
    }
    assert.equal((await at.read('/No-Such-Page')).status, 404);
  });

  it('has no link to a section of the home page that is switched off', async () => {
    const ways = (page: Page) => page.locator('a[href$="#how-it-works"]');
    await reader.goto(`${at.desk.web}/contact`);
    assert.equal(await ways(reader).count(), 3);
    const { value, version } = await ask('GET', '/api/admin/settings/home-page');
    const how_it_works = { ...value.how_it_works, enabled: false };
    await ask('PUT', '/api/admin/settings/home-page', {
      version,
      value: { ...value, how_it_works },
    });
    await withinASecond(
      () => at.textOf('/contact'),
      (html) => !html.includes('#how-it-works'),
    );
    await reader.reload();
    assert.equal(await ways(reader).count(), 0);
  });

  it('keeps the page of terms that sign-up leads to, and says where to choose another', async () => {
    await office.goto(`${at.desk.web}/admin/legal-pages`);
    await office.getByRole('link', { name: 'Terms of service' }).first().click();
    await office.getByRole('button', { name: 'Unpublish' }).click();
    const dialog = office.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Unpublish' }).click();
    await dialog.getByText('Choose another page there first.').waitFor();
    assert.equal((await at.read('/terms')).status, 200);
  });

  it('asks about the version that comes back where a page is put back', async () => {
    await office.goto(`${at.desk.web}/admin/legal-pages`);
    await office.getByRole('link', { name: 'Policy against money laundering' }).first().click();
    await office.getByRole('button', { name: 'Unpublish' }).click();
    const sure = office.getByRole('dialog');
    await sure.getByRole('button', { name: 'Unpublish' }).click();
    const isLedTo = (html: string) => html.includes('href="/aml-policy"');
    await withinASecond(
      () => at.textOf('/contact'),
      (html) => !isLedTo(html),
    );
    await office.getByRole('button', { name: 'Publish again' }).click();
    const dialog = office.getByRole('dialog', { name: 'Publish the page again?' });
    const words = await dialog.innerText();
    const asked = /Version \d(?= is public again .* No new version is made\.)/.exec(words)?.[0];
    assert.ok(asked, words);
    await dialog.getByRole('button', { name: 'Publish again' }).click();
    await office.getByText(`${asked}, in force since`).waitFor();
    await withinASecond(
      () => at.read('/aml-policy'),
      ({ status }) => status === 200,
    );
    await withinASecond(() => at.textOf('/contact'), isLedTo);
  });

  for (const [where, viewport] of Object.entries({ phone, screen })) {
    it(`leaves the buttons of a form in reach while it says that it has saved (${where})`, async () => {
      await office.setViewportSize(viewport);
      await at.openForm('general');
      await at.save('general');
      const said = office.getByRole('status').locator('p').filter({ hasText: /saved/i }).last();
      const words = await said.boundingBox();
      const bar = await office.locator('.save-bar').boundingBox();
      assert.ok(words && bar);
      assert.ok(words.y + words.height <= bar.y, `${words.y + words.height} ${bar.y}`);
      await office.getByRole('link', { name: 'Back to the list' }).click({ timeout: 1000 });
      await office.waitForURL(/\/admin\/settings$/);
    });
  }
});
