/** What shows on a page that a script ran, or would have run without the policy. */
import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';

/** Returns a list that grows with everything that shows that a script ran or was blocked. */
export function watchScripts(page: Page, seen: string[] = []): string[] {
  page.on('dialog', (dialog) => {
    // The browser asks before an unsaved form is left.
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

/** What the policy blocks on any page of a browser from now on. */
export function blockedByPolicy(context: BrowserContext): readonly string[] {
  const blocked: string[] = [];
  context.on('console', (message) => {
    if (/content security policy/i.test(message.text())) blocked.push(message.text());
  });
  return blocked;
}

interface Shown {
  readonly tagName: string;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

/** Attributes in the page that would run a script once the user touched their element. */
export function scriptAttributes(page: Page): Promise<string[]> {
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

/** Opens a page, on which no attribute may run a script. */
export async function openSafely(
  page: Page,
  address: string,
  waitUntil: 'load' | 'networkidle' = 'load',
): Promise<void> {
  const answer = await page.goto(address, { waitUntil });
  assert.equal(answer?.status(), 200, address);
  assert.deepEqual(await scriptAttributes(page), [], address);
}
