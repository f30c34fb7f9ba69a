/** An admin at work in the console's settings, and what the public is shown of it. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';
import { newVisitor, screen, signInAsAdmin } from './visitor.ts';

export interface Office {
  readonly desk: Desk;
  readonly browser: Browser;
  /** Of the admin, signed in. */
  readonly page: Page;
  /** As a browser without script asks for a page. */
  read(path: string, headers?: Record<string, string>): Promise<Response>;
  textOf(path: string): Promise<string>;
  openForm(slug: string): Promise<void>;
  /** Saves the form that is open, by its button or as told, and waits for the answer. */
  save(slug: string, press?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export async function openOffice(
  environment: Readonly<Record<string, string>> = {},
): Promise<Office> {
  const [desk, browser] = await Promise.all([startDesk({ environment }), openBrowser()]);
  const close = async () => {
    await browser.close();
    await desk.stop();
  };
  const page = await newVisitor(browser, { viewport: screen });
  try {
    await signInAsAdmin(page, desk);
  } catch (error) {
    await close();
    throw error;
  }
  const read: Office['read'] = (path, headers = {}) =>
    fetch(desk.web + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
  return {
    desk,
    browser,
    page,
    read,
    textOf: async (path) => (await read(path)).text(),
    async openForm(slug) {
      await openAnew(page, `${desk.web}/admin/settings/${slug}`);
    },
    async save(slug, press = () => page.getByRole('button', { name: 'Save changes' }).click()) {
      const answered = page.waitForResponse(
        (response) =>
          response.request().method() === 'PUT' && response.url().endsWith(`/settings/${slug}`),
      );
      await press();
      assert.equal((await answered).status(), 200);
    },
    close,
  };
}

/** As whoever left nothing unsaved behind: what a refused form held would be put back. */
export async function openAnew(page: Page, address: string): Promise<void> {
  // A blank page has none.
  if (page.url().startsWith('http')) await page.evaluate('sessionStorage.clear()');
  await page.goto(address, { waitUntil: 'networkidle' });
}

/** What is saved is public within a second. */
export async function withinASecond<T>(
  ask: () => Promise<T>,
  holds: (answer: T) => boolean,
): Promise<T> {
  const until = Date.now() + 1000;
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    assert.ok(Date.now() < until, 'It was not shown within a second.');
    await sleep(50);
  }
}
