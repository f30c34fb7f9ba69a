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

  const sides = (parts: Locator): Promise<string[]> =>
    parts.evaluateAll((all) =>
      all.map((part) => part.ownerDocument.defaultView.getComputedStyle(part).direction),
    );

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

  it('begins at the right what is written from right to left, wherever it stands', async () => {
    const title = 'سعر الصرف';
    const slug = await publishPost(title, { excerpt: 'كلمات قليلة', body: arabic });
    assert.match(slug, /^[a-z]+(-[a-z]+)*$/);
    await reader.goto(`${at.desk.web}/blog/${slug}`);
    assert.equal(await fromTheRight(reader.locator('h1')), 0);
    assert.equal(await fromTheRight(reader.locator('h1 + p')), 0);
    assert.equal(await fromTheRight(reader.locator('.prose p')), 0);
    // The way to it and its column, too: one edge for all.
    const edge = async (words: Locator) => {
      const box = await words.boundingBox();
      return box && Math.round(box.x + box.width);
    };
    const right = await edge(reader.locator('.prose'));
    assert.equal(await edge(reader.locator('h1')), right);
    assert.equal(await edge(reader.getByRole('link', { name: 'Blog' }).nth(1)), right);
    const list = reader.locator('.prose ul');
    const indent = await list.evaluate(
      (element) => element.ownerDocument.defaultView.getComputedStyle(element).paddingRight,
    );
    assert.notEqual(indent, '0px');
    // A cell of figures alone begins where the others do.
    const cell = reader.locator('.prose td');
    const figures = await cell.evaluate((element) => {
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().right;
    });
    const room = await cell.boundingBox();
    assert.ok(room && room.x + room.width - figures < 2);
    await reader.goto(`${at.desk.web}/blog`);
    const card = reader.getByRole('article').filter({ hasText: title });
    assert.equal(await fromTheRight(card.getByRole('heading')), 0);
    assert.equal(await fromTheRight(card.getByText('كلمات قليلة')), 0);
  });

  it('states no language of a text from right to left, which nobody has named', async () => {
    const stated = async (slug: string) => {
      const html = await at.textOf(`/blog/${slug}`);
      const unknown = html.split(' lang=""').length - 1;
      return [/"BlogPosting".*"inLanguage"/.test(html), html.includes('og:locale'), unknown];
    };
    const theirs = await publishPost('سعر اليورو', { excerpt: 'كلمات', body: arabic });
    const ours = await publishPost('The euro', { excerpt: 'Words.', body: '<p>Today.</p>' });
    assert.deepEqual(await stated(theirs), [false, false, 3]);
    assert.deepEqual(await stated(ours), [true, true, 0]);
  });

  it('keeps what the site says beside a legal page from right to left on one side', async () => {
    const begun = { title: 'سياسة الاسترداد', slug: 'refunds' };
    let legal = await ask('POST', '/api/admin/legal-pages', begun);
    const path = `/api/admin/legal-pages/${legal.id}`;
    for (const change of ['', 'Added more']) {
      const content = { ...legal.content, summary: 'كلمات', body: arabic + change, change };
      legal = await ask('PUT', `${path}/draft`, { version: legal.version, content });
      legal = await ask('POST', `${path}/publication`, { version: legal.version });
    }
    await reader.goto(`${at.desk.web}/refunds`);
    const titles = reader.getByRole('heading', { name: /^(Other pages|Versions of this page)$/ });
    const own = reader.locator('nav[aria-labelledby], section').filter({ has: titles });
    assert.equal(await own.count(), 2);
    assert.deepEqual([...new Set(await sides(own.locator('h2, a, p')))], ['ltr']);
  });

  it('shows each part of a text in the editor from the side from which its page reads it', async () => {
    const title = 'أسعار اليوم';
    const body =
      '<p>سعر الصرف</p><h2>1</h2><ul><li>1.09</li></ul><h2>2</h2><ol><li>rate</li></ol><h2>3</h2>' +
      '<table><tr><td>1</td><td>سعر</td></tr></table><blockquote><p>7</p></blockquote><pre>سعر</pre>';
    const slug = await publishPost(title, { excerpt: 'أسعار', body });
    const parts = 'ul, ol, table, blockquote, pre';
    await reader.goto(`${at.desk.web}/blog/${slug}`);
    const read = await sides(reader.locator('article.prose').locator(parts));
    assert.deepEqual(read, ['rtl', 'ltr', 'rtl', 'rtl', 'ltr']);
    // The way to headings of figures alone stands as the page does.
    assert.deepEqual(await sides(reader.locator('aside nav ol')), ['rtl', 'rtl']);
    await office.goto(`${at.desk.web}/admin/blog`);
    await office.getByRole('link', { name: title }).first().click();
    const text = office.locator('#body[contenteditable]');
    await text.waitFor();
    assert.deepEqual(await sides(text.locator(parts)), read);
    await text.locator('ul p').click();
    await office.keyboard.press('Home');
    await office.keyboard.type('EUR ');
    assert.deepEqual(await sides(text.locator('ul')), ['ltr']);
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
    await office.getByRole('button', { name: 'Take off the site' }).click();
    const dialog = office.getByRole('dialog', { name: 'This page is needed' });
    assert.equal(await dialog.getByRole('button', { name: 'Take off the site' }).count(), 0);
    await dialog.getByRole('link', { name: 'Choose another one' }).click();
    await office.waitForURL(/\/settings\/general$/);
    assert.equal((await at.read('/terms')).status, 200);
  });

  it('asks about the version that comes back where a page is put back', async () => {
    await office.goto(`${at.desk.web}/admin/legal-pages`);
    await office.getByRole('link', { name: 'Policy against money laundering' }).first().click();
    await office.getByRole('button', { name: 'Take off the site' }).click();
    const sure = office.getByRole('dialog');
    await sure.getByText('The footer leaves out “Against money laundering” until').waitFor();
    await sure.getByRole('button', { name: 'Take off the site' }).click();
    const isLedTo = (html: string) => html.includes('href="/aml-policy"');
    await withinASecond(
      () => at.textOf('/contact'),
      (html) => !isLedTo(html),
    );
    await office.getByRole('button', { name: 'Put back on the site' }).click();
    const dialog = office.getByRole('dialog', { name: 'Put the page back on the site?' });
    const words = await dialog.innerText();
    const asked = /Version \d(?= is public again .* No new version is made\.)/.exec(words)?.[0];
    assert.ok(asked, words);
    await dialog.getByRole('button', { name: 'Put back on the site' }).click();
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
