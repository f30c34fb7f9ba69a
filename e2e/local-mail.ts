/** Letters of a desk without a mail server: read in its own mailbox, as somebody who tries it would. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import type { Desk } from './desk.ts';

const patienceMs = 15_000;

/** Follows the link of the letter that confirms this address, in a tab of the same browser. */
export async function confirmAddress(
  context: BrowserContext,
  desk: Desk,
  email: string,
): Promise<void> {
  const page = await context.newPage();
  const letter = page.locator('li', { hasText: email }).filter({ hasText: /confirm/i });
  const deadline = Date.now() + patienceMs;
  do {
    await page.goto(`${desk.api}/dev/mail`);
    if ((await letter.count()) > 0) break;
    await sleep(200);
  } while (Date.now() < deadline);
  await letter.first().getByRole('link').click();
  const link = await page.locator('pre a[href*="/verify-email"]').getAttribute('href');
  // Without script the button leads on, without the words that are waited for.
  await page.goto(link ?? '', { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: /confirm/i }).click();
  // A heading, or a word in passing on the page that the person was going to.
  await page.getByText('Your address is confirmed').first().waitFor();
  await page.close();
}
