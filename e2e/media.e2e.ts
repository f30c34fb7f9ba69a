/** An admin fills the library of pictures in the browser; visitors get them from the site itself. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { connect } from '../apps/api/src/platform/db/database.ts';
import { openBrowser, startDesk, type Desk } from './desk.ts';

const patienceMs = 12_000;

/** Lets the page believe that a picture of this name was dropped on it, or pasted. */
function give(page: Page, how: 'drop' | 'paste', name: string): Promise<void> {
  const event =
    how === 'drop'
      ? `new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })`
      : `new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })`;
  return page.evaluate(`(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [900, 600];
    canvas.getContext('2d').fillRect(200, 100, 300, 400);
    const picture = await new Promise((done) => canvas.toBlob(done, 'image/jpeg'));
    const data = new DataTransfer();
    // The same bytes would be the same picture.
    data.items.add(new File([picture, String(Math.random())], ${JSON.stringify(name)}, { type: 'image/jpeg' }));
    document.body.dispatchEvent(${event});
  })()`);
}

describe('the library of pictures', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${desk.web}/signin`);
    await page.getByLabel('E-mail address').fill(desk.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(/\/admin/);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  const pictureOf = (name: string) =>
    page.getByRole('list', { name: 'Pictures' }).getByRole('button', { name });
  /** Closes the dialog of a new picture. */
  const closed = async (name: string | RegExp) => {
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const pathOf = async (name: string) => {
    await pictureOf(name).click();
    const dialog = page.getByRole('dialog', { name });
    const path = await dialog.getByText(/^\/media\/[a-z0-9]{16}-\d+\.webp$/).innerText();
    await dialog.getByRole('button', { name: 'Close' }).click();
    return path;
  };

  it('takes a picture that is chosen, and asks what it shows', async () => {
    await page.getByRole('link', { name: 'Media', exact: true }).click();
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
    const buffer = await page.screenshot({ type: 'png' });
    await page.getByLabel('Add pictures').setInputFiles([
      { name: 'Our counter.png', mimeType: 'image/png', buffer },
      { name: 'Price list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
    ]);
    await page.getByText('Only JPEG, PNG, WebP, AVIF and GIF pictures can be added.').waitFor();
    const dialog = page.getByRole('dialog', { name: 'Our counter' });
    await dialog.getByLabel('Alternative text').fill('Our counter on a quiet morning');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove from the list: Price list.pdf' }).click();
  });

  it('takes pictures that are dropped and pasted', async () => {
    await give(page, 'drop', 'Dropped here.jpg');
    await closed('Dropped here');
    await give(page, 'paste', 'image.png');
    await closed(/^pasted-\d{8}-\d{6}/);
  });

  it('keeps the same file once, and says so', async () => {
    const file = { name: 'Twice.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await page.getByLabel('Add pictures').setInputFiles(file);
    await closed('Twice');
    await page.getByLabel('Add pictures').setInputFiles({ ...file, name: 'Again.png' });
    await page.getByText('“Again.png” is already in the library, as “Twice”.').waitFor();
    await closed('Twice');
    assert.equal(await pictureOf('Twice').count(), 1);
    assert.equal(await pictureOf('Again').count(), 0);
  });

  it('serves every width from the site itself, for good and to anybody', async () => {
    const path = await pathOf('Our counter');
    for (const name of [path, path.replace('-1280.webp', '-320.avif')]) {
      const url = desk.web + name;
      const response = await fetch(url, { headers: { cookie: 'XSRF-TOKEN=x; session=none' } });
      assert.equal(response.status, 200, url);
      assert.ok((await response.arrayBuffer()).byteLength > 500);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual(response.headers.getSetCookie(), []);
      const etag = response.headers.get('etag') ?? '';
      assert.equal((await fetch(url, { headers: { 'if-none-match': etag } })).status, 304);
      const head = await fetch(url, { method: 'HEAD' });
      assert.equal(head.headers.get('content-type'), response.headers.get('content-type'));
    }
    assert.equal((await fetch(`${desk.web}${path.replace('-1280', '-1279')}`)).status, 404);
  });

  it('finds a picture by what it shows, and calls it something else', async () => {
    await page.getByRole('searchbox').fill('quiet morn');
    await page.waitForURL(/q=quiet/);
    await pictureOf('Dropped here').waitFor({ state: 'detached' });
    await pictureOf('Our counter').click();
    const dialog = page.getByRole('dialog', { name: 'Our counter' });
    await dialog.getByLabel('Name').fill('Counter, morning');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await pictureOf('Counter, morning').waitFor();
  });

  it('asks before words and pictures are lost that are not kept yet', async () => {
    await pictureOf('Counter, morning').click();
    const words = page.getByRole('dialog').getByLabel('Alternative text');
    await words.fill('Our counter on a quiet morning at eight');
    page.on('dialog', (dialog) => void dialog.dismiss());
    const askedBy = async (act: () => Promise<void>): Promise<string> => {
      const [dialog] = await Promise.all([page.waitForEvent('dialog'), act()]);
      return dialog.message();
    };
    const leave = async (times: number) => {
      for (let time = 0; time < times; time += 1) {
        await askedBy(() => page.keyboard.press('Escape'));
        assert.equal(await words.inputValue(), 'Our counter on a quiet morning at eight');
      }
    };
    await leave(2);
    // The browser's own way back, as on a phone: after two of them no page can hold it.
    await page.evaluate(`window.back = new AbortController();
      addEventListener('keydown', (event) => event.stopImmediatePropagation(),
        { capture: true, signal: back.signal });`);
    await leave(3);
    await page.evaluate('back.abort()');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    let isHeld = true;
    await page.route(/\/api\/admin\/media$/, async (route) => {
      while (isHeld) await page.waitForTimeout(50);
      await route.continue();
    });
    await give(page, 'drop', 'Slow.jpg');
    await page.getByRole('list', { name: 'Uploads in progress' }).waitFor();
    const away = page.getByRole('link', { name: 'Exchanges', exact: false }).first();
    assert.match(await askedBy(() => away.click()), /Uploads in progress/);
    await page.getByRole('list', { name: 'Uploads in progress' }).waitFor();
    isHeld = false;
    page.removeAllListeners('dialog');
    await closed('Slow');
    await page.unroute(/\/api\/admin\/media$/);
  });

  it('deletes nothing that is shown, and says what an earlier version shows', async () => {
    const path = await pathOf('Counter, morning');
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update posts set draft = jsonb_set(draft, '{cover}', to_jsonb(${path}::text))
      where id = (select id from posts order by id limit 1)`;
    await page.reload({ waitUntil: 'networkidle' });
    await pictureOf('Counter, morning').click();
    const dialog = page.getByRole('dialog', { name: 'Counter, morning' });
    await dialog.getByRole('link', { name: /^(The p|P)ost/ }).waitFor();
    await dialog.getByText('A picture that is used cannot be deleted.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Delete' }).count(), 0);
    await sql`insert into content_revisions
      (subject_kind, subject_id, number, reason, content, begun_at, at)
      select 'post', id::text, 99, 'saved', draft, now(), now() from posts order by id limit 1`;
    await sql`update posts set draft = jsonb_set(draft, '{cover}', 'null')
      where id = (select id from posts order by id limit 1)`;
    await sql.end();
    await page.reload({ waitUntil: 'networkidle' });
    await pictureOf('Counter, morning').click();
    await dialog.getByText('Not used any more.').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this picture?' });
    await question.getByText('Only earlier revisions of these places use it.').waitFor();
    await question.getByRole('link', { name: /^(The p|P)ost/ }).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Counter, morning').waitFor();
    assert.equal((await fetch(desk.web + path)).status, 404);
    assert.deepEqual(faults, []);
  });
});
