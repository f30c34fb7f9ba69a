/** What a page lets be seen of scripts that should not run. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Desk } from './desk.ts';

/** Everything on a page that shows that something ran, or would have without the policy. */
export function watched(page: Page, seen: string[] = []): string[] {
  page.on('dialog', (dialog) => {
    // The browser's own question to who leaves a form that is not saved.
    if (dialog.type() === 'beforeunload') {
      void dialog.accept();
      return;
    }
    seen.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`an error: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) seen.push(message.text());
  });
  return seen;
}

/** What the policy refuses on any page of a browser from now on. */
export function refusedByPolicy(context: BrowserContext): readonly string[] {
  const refused: string[] = [];
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) refused.push(message.text());
  });
  return refused;
}

interface Shown {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

/** What in the page would run, or lead to a script, once somebody touched it. */
export function armed(page: Page): Promise<string[]> {
  return page
    .locator('*')
    .evaluateAll((elements: readonly Shown[]) =>
      elements.flatMap((element) =>
        [...element.attributes]
          .filter(
            ({ name, value }) =>
              /^on/i.test(name) ||
              (/^(href|src|action|formaction|xlink:href|srcdoc|data)$/i.test(name) &&
                /^[\s\u0000-\u001f]*(javascript|vbscript|data:text)/i.test(value)),
          )
          .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
      ),
    );
}

/** Opens a page of the site, on which nothing may be armed. */
export async function visit(
  page: Page,
  address: string,
  waitUntil: 'load' | 'networkidle' = 'load',
): Promise<void> {
  const answer = await page.goto(address, { waitUntil });
  assert.equal(answer?.status(), 200, address);
  assert.deepEqual(await armed(page), [], address);
}

/** However far the beginning came. */
export async function endAll(browser?: Browser, desk?: Desk): Promise<void> {
  await browser?.close();
  await desk?.stop();
}
