/** Somebody brings texts and pictures from elsewhere into the editor, and writes on at once. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, phone, screen, signInAsAdmin } from './visitor.ts';
import { endAll, watched } from './watched.ts';

const fromDocs =
  '<b style="font-weight:normal"><p><span style="text-decoration:line-through">old</span> <span style="text-decoration:underline;-webkit-text-decoration-skip:none">new</span> ' +
  'm<span style="font-size:0.6em;vertical-align:super">2</span> CO<span style="vertical-align:sub">2</span> ' +
  '<a href="https://a.example/"><span style="text-decoration:underline">there</span></a></p></b>';

describe('a text from elsewhere', () => {
  let desk: Desk;
  let browser: Browser;
  let page: Page;
  let seen: string[];

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
    page = await newVisitor(browser, { viewport: screen });
    seen = watched(page);
    await signInAsAdmin(page, desk);
    await page.goto(`${desk.web}/admin/blog/new`);
    await page.getByLabel('Title').fill('From elsewhere');
    await page.getByRole('button', { name: 'Start writing' }).click();
    await page.waitForURL(/\/admin\/blog\/[0-9a-f-]{36}$/);
  });
  after(() => endAll(browser, desk));
  beforeEach(async () => {
    await text().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
  });

  const text = () => page.locator('#body[contenteditable]');
  const html = async () =>
    (await text().innerHTML()).replaceAll(/<br class="ProseMirror-trailingBreak">| dir="\w+"/g, '');
  const dialog = () => page.getByRole('dialog');

  function give(how: 'drop' | 'paste', pasted: string, files = 0): Promise<void> {
    const kind = how === 'drop' ? 'DragEvent' : 'ClipboardEvent';
    return page.evaluate(`(async () => {
      const data = new DataTransfer();
      if (${JSON.stringify(pasted)}) data.setData('text/html', ${JSON.stringify(pasted)});
      for (let at = 0; at < ${files}; at += 1) {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [400 + at, 300];
        canvas.getContext('2d').fillRect(20, 10, 300, 200);
        const picture = await new Promise((done) => canvas.toBlob(done, 'image/png'));
        data.items.add(new File([picture, String(Math.random())], 'image.png', { type: 'image/png' }));
      }
      const place = document.querySelector('#body');
      const { left, top } = place.getBoundingClientRect();
      place.dispatchEvent(new ${kind}('${how}', {
        clipboardData: data, dataTransfer: data, bubbles: true, cancelable: true, clientX: left + 20, clientY: top + 20,
      }));
    })()`);
  }

  /** Says what the picture that is being added shows, and takes it. */
  async function use(alt: string): Promise<void> {
    await dialog()
      .getByLabel(/^Alternative text of pasted-/)
      .fill(alt);
    await dialog().getByRole('button', { name: 'Use this picture' }).click();
  }

  it('has what Google Docs says in styles', async () => {
    await give('paste', fromDocs);
    assert.match(
      await html(),
      /^<p><s>old<\/s> new m<sup>2<\/sup> CO<sub>2<\/sub> <a [^>]*>there<\/a><\/p>/,
    );
  });

  it('takes pictures that are pasted and dropped into the library, one after the other', async () => {
    await page.keyboard.type('Before.');
    await give('paste', '', 1);
    await use('A screenshot');
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.type('Between.');
    await give('drop', '<img src="https://a.example/a.png">', 2);
    await use('Dropped first');
    await text().getByRole('img', { name: 'Dropped first' }).waitFor();
    await use('Dropped second');
    await dialog().waitFor({ state: 'detached' });
    assert.equal(await text().getByRole('img').count(), 3);
    await text().getByRole('img', { name: 'A screenshot' }).waitFor();
    await page.locator('[data-save="saved"]').waitFor();
  });

  it('is not the picture of itself that a word processor sends along', async () => {
    await give('paste', '<p>Words</p>', 1);
    assert.match(await html(), /^<p>Words<\/p>/);
    assert.equal(await dialog().count(), 0);
  });

  it('goes on behind a picture that was put in with the keyboard alone', async () => {
    await page.keyboard.type('Before.');
    await page.keyboard.press('Alt+F10');
    await page.getByRole('button', { name: 'Picture', exact: true }).press('Enter');
    await dialog()
      .getByRole('button', { name: /^pasted-/ })
      .first()
      .press('Enter');
    await dialog().getByRole('textbox').last().press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.keyboard.type('Behind the picture.');
    assert.match(await html(), /^<p>Before.<\/p><img [^>]*><p>Behind the picture.<\/p>$/);
  });

  it('lets the keyboard out of a table, after Escape', async () => {
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.keyboard.press('Tab');
    await page.keyboard.type('Second cell');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.match(await html(), /<p>Second cell<\/p>/);
    assert.equal(await page.evaluate('document.activeElement.id === "body"'), false);
  });

  it('is chosen in a dialog that an empty search does not hold open, and that says what is known', async () => {
    const open = () => page.getByRole('button', { name: 'Picture', exact: true }).click();
    await open();
    await dialog().getByRole('searchbox').press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await open();
    const file = { name: 'Seen.png', mimeType: 'image/png', buffer: await page.screenshot() };
    const input = dialog().locator('input[type=file]');
    await input.setInputFiles(file);
    await dialog().getByLabel('Alternative text of Seen').waitFor();
    await input.setInputFiles({ ...file, name: 'Again.png' });
    await dialog().getByText('“Again.png” is already in the library, as “Seen”.').waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('is chosen on a telephone too, with its buttons in sight', async () => {
    await page.setViewportSize(phone);
    await page.getByRole('button', { name: 'Picture', exact: true }).click();
    const picture = dialog()
      .getByRole('button', { name: /^pasted-/ })
      .first();
    await picture.click();
    for (const name of ['Use this picture', 'Not now']) {
      const box = await dialog().getByRole('button', { name }).boundingBox();
      assert.ok(
        box && box.y + box.height <= phone.height - 12,
        `${name} ends at ${box?.y} + ${box?.height}`,
      );
    }
    await picture.scrollIntoViewIfNeeded();
    await dialog().getByRole('button', { name: 'Use this picture' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.setViewportSize(screen);
  });

  it('shows the line that is written, below the buttons and above what covers the end', async () => {
    /** Whether it comes into sight: the page is scrolled a moment after the caret has moved. */
    const isInSight = () =>
      page.evaluate<boolean>(`(async () => {
        const isNow = () => {
          const caret = getSelection().getRangeAt(0).cloneRange();
          const { top, bottom } = caret.getClientRects()[0] ?? caret.startContainer.getBoundingClientRect();
          const bar = document.querySelector('[data-editor-bar]').getBoundingClientRect().bottom;
          return bar <= top && bottom <= innerHeight;
        };
        for (let frame = 0; frame < 60 && !isNow(); frame += 1) await new Promise(requestAnimationFrame);
        return isNow();
      })()`);
    await give('paste', '<p>One line.</p>'.repeat(60));
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press('ArrowUp');
      assert.ok(await isInSight(), `after ${press + 1} presses`);
    }
    await page.setViewportSize({ width: phone.width, height: 480 });
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    for (let cell = 0; cell < 9; cell += 1) {
      await page.keyboard.type('c');
      assert.ok(await isInSight(), `in cell ${cell + 1}`);
      await page.keyboard.press('Tab');
    }
    const bar = await page.locator('[data-editor-bar]').boundingBox();
    assert.ok(bar && bar.height < 100, `the buttons are ${bar?.height} high`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), phone.width);
    await page.setViewportSize(screen);
  });

  it('is HTML with a line for each block', async () => {
    await give('paste', '<p>a</p><ul><li>b</li></ul>');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    const source = page.locator('textarea#body');
    assert.equal(await source.inputValue(), '<p>a</p>\n<ul>\n<li>b</li>\n</ul>');
    await source.fill('<h5>c</h5>');
    await page.getByRole('button', { name: 'Back to the editor' }).click();
    assert.match(await html(), /^<h4>c<\/h4>/);
  });

  it('says what of the HTML is not kept once it has saved itself', async () => {
    const source = page.locator('textarea#body');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await source.fill('<p style="color: red">a <span>b</span></p><script>1</script>');
    await page.getByText('not saved: style of <p>, <span>, <script>.').waitFor();
    await page.getByRole('button', { name: 'Back to the editor' }).click();
  });

  it('asked for nothing that the pages’ policy refuses', () => {
    assert.deepEqual(seen, []);
  });
});
