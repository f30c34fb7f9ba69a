/** An admin fills the library of pictures; visitors get them from the site itself. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { connect } from '../../../apps/api/src/platform/db/database.ts';
import { newAdmin, sharedDesk } from '../../support/shared-desk.ts';

const shared = await sharedDesk();
const { desk } = shared;

/** Drops or pastes a new picture of this name on the page. */
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
  let page: Page;

  before(async () => {
    page = await newAdmin(shared);
    await page.goto(`${desk.web}/admin/media`, { waitUntil: 'networkidle' });
  });

  const pictureOf = (name: string) =>
    page.getByRole('list', { name: 'Pictures' }).getByRole('button', { name });
  /** Closes the dialog of a new picture. */
  const close = async (name: string | RegExp) => {
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('An admin adds pictures by choice, drop and paste, and says what they show', async () => {
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

    await give(page, 'drop', 'Dropped here.jpg');
    await close('Dropped here');
    await give(page, 'paste', 'image.png');
    await close(/^pasted-\d{8}-\d{6}/);
  });

  it('An admin finds a picture by what it shows, renames it, and is asked before changes are lost', async () => {
    await page.getByRole('searchbox').fill('quiet morn');
    await page.waitForURL(/q=quiet/);
    await pictureOf('Dropped here').waitFor({ state: 'detached' });
    await pictureOf('Our counter').click();
    const dialog = page.getByRole('dialog', { name: 'Our counter' });
    await dialog.getByLabel('Name').fill('Counter, morning');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await pictureOf('Counter, morning').click();
    const words = page.getByRole('dialog').getByLabel('Alternative text');
    await words.fill('Our counter on a quiet morning at eight');
    const asked = page.waitForEvent('dialog');
    page.once('dialog', (question) => void question.dismiss());
    await page.keyboard.press('Escape');
    await asked;
    assert.equal(await words.inputValue(), 'Our counter on a quiet morning at eight');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('A picture is public in every width, and is deleted only when nothing shows it', async () => {
    await pictureOf('Counter, morning').click();
    const dialog = page.getByRole('dialog', { name: 'Counter, morning' });
    const path = await dialog.getByText(/^\/media\/[a-z0-9]{16}-\d+\.webp$/).innerText();
    for (const name of [path, path.replace('-1280.webp', '-320.avif')]) {
      const response = await fetch(desk.web + name);
      assert.equal(response.status, 200, name);
      assert.ok((await response.arrayBuffer()).byteLength > 500);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.deepEqual(response.headers.getSetCookie(), []);
    }
    const sql = connect(desk.databaseUrl(), 1);
    await sql`update posts set draft = jsonb_set(draft, '{cover}', to_jsonb(${path}::text))
      where id = (select id from posts order by id limit 1)`;
    await page.reload({ waitUntil: 'networkidle' });
    await pictureOf('Counter, morning').click();
    await dialog.getByRole('link', { name: /^(The p|P)ost/ }).waitFor();
    await dialog.getByText('A picture that is used cannot be deleted.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Delete' }).count(), 0);
    await sql`update posts set draft = jsonb_set(draft, '{cover}', 'null')
      where id = (select id from posts order by id limit 1)`;
    await sql.end();
    await page.reload({ waitUntil: 'networkidle' });
    await pictureOf('Counter, morning').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this picture?' });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted: Counter, morning').waitFor();
    assert.equal((await fetch(desk.web + path)).status, 404);
  });
});
