/** What a page lets be seen of scripts that should not run. */
import type { Page } from 'playwright-core';

/** Everything on a page that shows that something ran, or would have without the policy. */
export function watched(page: Page, seen: string[] = []): string[] {
  page.on('dialog', (dialog) => {
    seen.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => seen.push(`an error: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) seen.push(message.text());
  });
  return seen;
}
