/**
 * Every page at both widths and in both themes: nothing wider than the screen,
 * no fault in the console, and no violation that axe can find.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';

const axeFile = fileURLToPath(new URL('../node_modules/axe-core/axe.min.js', import.meta.url));
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const looks = [
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
] as const;

const publicPages = ['/', '/terms', '/privacy', '/signin', '/signup', '/nowhere-at-all'];
const adminPages = [
  '/admin/exchanges',
  '/admin/exchanges?queue=all',
  '/admin/currencies',
  '/admin/currencies/eur',
  '/admin/pairs',
  '/admin/pairs/usd-to-eur',
  '/admin/reserves',
  '/admin/reserves/eur',
];
const memberPages = ['/preview', '/exchanges'];

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[];
}

async function violations(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  const found: AxeResult = await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)} })`,
  );
  return found.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 3)
        .join(', ')})`,
  );
}

/** What is wrong with the page as it is shown, as sentences. */
async function faultsOf(page: Page, address: string, axe: string): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const expected = address.endsWith('/nowhere-at-all') && /404/.test(message.text());
    if (message.type() === 'error' && !expected) faults.push(`console: ${message.text()}`);
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (wider > 0) faults.push(`${wider} px wider than the screen`);
  const headings = await page.locator('h1:visible').count();
  if (headings !== 1) faults.push(`${headings} headings of the first level`);
  faults.push(...(await violations(page, axe)));
  return faults;
}

describe('every page, narrow and wide, light and dark', () => {
  let desk: Desk;
  let browser: Browser;
  let axe: string;

  before(async () => {
    axe = await readFile(axeFile, 'utf8');
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  async function visit(
    pages: readonly string[],
    signIn?: (context: BrowserContext) => Promise<void>,
  ) {
    const faults: Record<string, string[]> = {};
    for (const { width, theme } of looks) {
      const context = await browser.newContext({
        viewport: { width, height: width < 600 ? 844 : 900 },
        colorScheme: theme,
        bypassCSP: true,
        reducedMotion: 'reduce',
      });
      await signIn?.(context);
      for (const path of pages) {
        const page = await context.newPage();
        const found = await faultsOf(page, desk.web + path, axe);
        if (found.length > 0) faults[`${path} at ${width}, ${theme}`] = found;
        await page.close();
      }
      await context.close();
    }
    assert.deepEqual(faults, {});
  }

  async function asAdmin(context: BrowserContext): Promise<void> {
    const page = await context.newPage();
    await page.goto(`${desk.web}/signin`);
    await page.getByLabel('E-mail address').fill(desk.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(desk.admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/admin/);
    await page.close();
  }

  it('the public site', () => visit(publicPages));
  it('the account', () => visit(memberPages, asAdmin));
  it('the desk', () => visit(adminPages, asAdmin));
});
