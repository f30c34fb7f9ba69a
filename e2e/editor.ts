/** The editor of texts in the console, as every journey reaches for it. */
import type { Locator, Page } from 'playwright-core';

/** The text itself, not the field that stands there before the editor has come. */
export function editorText(page: Page): Locator {
  return page
    .getByRole('textbox', { name: 'Text', exact: true })
    .and(page.locator('[contenteditable]'));
}

/** Until the page says that all of it is kept. */
export async function textSaved(page: Page): Promise<void> {
  await page.locator('[data-save="saved"]').waitFor();
}
