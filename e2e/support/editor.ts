/** The text editor of the console. */
import type { Locator, Page } from 'playwright-core';

/** The editor's text, not the field that is there before the editor has loaded. */
export function editorText(page: Page): Locator {
  return page
    .getByRole('textbox', { name: 'Text', exact: true })
    .and(page.locator('[contenteditable]'));
}

/** Waits until the page says that everything is saved. */
export async function textSaved(page: Page): Promise<void> {
  await page.locator('[data-save="saved"]').waitFor();
}

/** Drops or pastes HTML, or as many new pictures, into the editor. */
export function give(page: Page, how: 'drop' | 'paste', html: string, pictures = 0): Promise<void> {
  const kind = how === 'drop' ? 'DragEvent' : 'ClipboardEvent';
  return page.evaluate(`(async () => {
    const data = new DataTransfer();
    if (${JSON.stringify(html)}) data.setData('text/html', ${JSON.stringify(html)});
    for (let at = 0; at < ${pictures}; at += 1) {
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
