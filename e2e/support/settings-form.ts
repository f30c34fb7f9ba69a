/** The forms of the settings in the console. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Desk } from './desk.ts';

/** Opens a page of the console without the unsaved changes that a form before it left behind. */
export async function openAnew(page: Page, address: string): Promise<void> {
  // A blank page has none.
  if (page.url().startsWith('http')) await page.evaluate('sessionStorage.clear()');
  await page.goto(address, { waitUntil: 'networkidle' });
}

export async function openSettings(page: Page, desk: Desk, slug: string): Promise<void> {
  await openAnew(page, `${desk.web}/admin/settings/${slug}`);
}

/** Saves the form that is open, by its button or by `press`, and waits for the answer. */
export async function saveSettings(
  page: Page,
  press = () => page.getByRole('button', { name: 'Save changes' }).click(),
): Promise<void> {
  const answered = page.waitForResponse(
    (response) =>
      response.request().method() === 'PUT' && /\/settings\/[\w-]+$/.test(response.url()),
  );
  await press();
  assert.equal((await answered).status(), 200);
}
