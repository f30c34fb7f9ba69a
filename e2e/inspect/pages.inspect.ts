/**
 * Every page at both widths: nothing wider than the screen, no fault in the console, and no violation
 * that axe finds. Since axe takes a second for each look, a page is narrow in one theme and wide in the other.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { settingSchemas } from '@cambist/contract/settings';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from '../support/desk.ts';
import { openAccount, signIn } from '../support/visitor.ts';

const axeFile = fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url));
const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** None of these needs the style sheets, which axe would fetch anew. */
const options = { runOnly, resultTypes: ['violations'], preload: false };

const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 900 };

const publicPages = [
  '/',
  '/?cur_from=WIREUSD&cur_to=SEPAEUR',
  '/rates',
  '/rates?q=nothing-like-it',
  '/rates/usd-to-eur',
  '/rates/usd-to-eur?range=year',
  '/rates/nowhere-at-all',
  '/blog',
  '/blog?q=rate',
  '/blog?q=zebra',
  '/blog/tag/Rates',
  '/blog/how-to-read-a-month-of-a-rate',
  '/blog/how-a-payment-travels',
  '/blog/nowhere-at-all',
  '/terms',
  '/terms?version=1',
  '/privacy',
  '/contact',
  '/contact?exchange=CX-AAAA-BBBB',
  '/contact?sent=MSG-000001',
  '/feature-report',
  '/subscribe',
  '/reserve-alert?pair=usd-to-eur&amount=2000',
  '/reserve-alert/confirm?token=of-an-email',
  '/signin',
  '/signup',
  '/forgot-password',
  '/reset-password?token=of-an-email',
  '/verify-email?token=of-an-email',
  '/two-factor',
  '/nowhere-at-all',
];
const adminPages = [
  '/admin',
  '/admin?days=90',
  '/admin/exchanges',
  '/admin/exchanges?queue=all',
  '/admin/exchanges?queue=all&state=completed&exception=late',
  '/admin/currencies',
  '/admin/currencies/eur',
  '/admin/pairs',
  '/admin/pairs?state=stale',
  '/admin/pairs/new',
  '/admin/pairs/usd-to-eur',
  '/admin/rates',
  '/admin/reserves',
  '/admin/reserves/eur',
  '/admin/pending-changes',
  '/admin/users',
  '/admin/users?q=nobody',
  '/admin/users/first',
  '/admin/audit',
  '/admin/blog',
  '/admin/blog/first',
  '/admin/media',
  '/admin/media?q=nothing-like-it',
  '/admin/messages',
  '/admin/messages?state=closed&q=nothing-like-it',
  '/admin/feature-reports',
  '/admin/legal-pages',
  '/admin/legal-pages/first',
  '/admin/campaigns',
  '/admin/campaigns/first',
  '/admin/subscribers/imports',
  '/admin/subscribers',
  '/admin/mail',
  '/admin/tasks',
  '/admin/settings',
  ...Object.keys(settingSchemas).map((slug) => `/admin/settings/${slug}`),
  '/admin/settings/home-page/revisions',
  '/admin/feeds',
];
const memberPages = ['/preview', '/exchanges', '/account'];

/** Of a customer with exchanges; the second is what a holder of the first one's link sees. */
const exchangePages = ['/exchanges/first', '/status/first'];

/** Has a second factor, and an address by its name. */
const person = { name: 'Bo Lind', password: 'words that only Bo puts so' };

/** Stands for the page of the list's first row, whose address only the list knows. */
const first = '/first';

interface AxeResult {
  violations: { id: string; help: string; nodes: { target: unknown[] }[] }[];
}

async function violations(page: Page): Promise<string[]> {
  const found: AxeResult = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return found.violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 3)
        .join(', ')})`,
  );
}

/** What is wrong with the page as it is shown, as sentences. */
async function faultsInLayout(page: Page): Promise<string[]> {
  const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  const headings = await page.locator('h1:visible').count();
  return [
    ...(wider > 0 ? [`${wider} px wider than the screen`] : []),
    ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
  ];
}

/** Axe reads colours as they are, and takes what a bar covers in half for a small target. */
const atRest =
  '*, ::before, ::after { transition: none !important; } .save-bar { position: static !important; }';

type Themes = readonly ['light', 'dark'] | readonly ['dark', 'light'];

/** Loads the page once, on a phone and in the first theme; then the window grows, and the second comes. */
async function faultsOf(
  page: Page,
  address: string,
  { axe, themes }: { axe: string; themes: Themes },
): Promise<string[]> {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const expected = address.endsWith('/nowhere-at-all') && /404/.test(message.text());
    if (message.type() === 'error' && !expected) faults.push(`console: ${message.text()}`);
  });
  const look = async (where: string) => {
    const found = [...(await faultsInLayout(page)), ...(await violations(page))];
    faults.push(...found.map((fault) => `${where}: ${fault}`));
  };
  const [one, other] = themes;
  await page.setViewportSize(narrow);
  await page.emulateMedia({ colorScheme: one });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.addStyleTag({ content: atRest });
  await page.evaluate(axe);
  await look(`narrow and ${one}`);
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: other });
  await look(`wide and ${other}`);
  return faults;
}

const byTurns: (at: number) => Themes = (at) => (at % 2 ? ['light', 'dark'] : ['dark', 'light']);

describe('every page, narrow and wide, light or dark', () => {
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

  /** One context for all pages of a group: they share the cache, and the one sign-in. */
  function group(
    name: string,
    pages: readonly string[],
    prepare?: (context: BrowserContext) => Promise<void>,
  ): void {
    // Two at once: axe fills one core, and the pages wait for the other.
    describe(name, { concurrency: 2 }, () => {
      let context: BrowserContext;

      before(async () => {
        context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
        await prepare?.(context);
      });
      after(() => context?.close());

      for (const [at, path] of pages.entries()) {
        it(path, async () => {
          const page = await context.newPage();
          const address = desk.web + (await pathOf(page, path));
          const faults = await faultsOf(page, address, { axe, themes: byTurns(at) });
          assert.equal(faults.length, 0, faults.join('\n'));
          await page.close();
        });
      }
    });
  }

  it('fit on a phone whose text is twice as large', async () => {
    const context = await browser.newContext({ bypassCSP: true, viewport: narrow });
    await signInAsCustomer(context);
    const page = await context.newPage();
    const faults: string[] = [];
    for (const path of ['/', '/rates', '/rates/usd-to-eur', '/contact', '/account']) {
      await page.goto(desk.web + path, { waitUntil: 'networkidle' });
      await page.evaluate("document.documentElement.style.fontSize = '32px'");
      faults.push(...(await faultsInLayout(page)).map((fault) => `${path}: ${fault}`));
    }
    await context.close();
    assert.deepEqual(faults, []);
  });

  it('ask for the second step by each of its ways', async () => {
    for (const [factor, queries] of [
      ['app', ['', '?by=recovery_code']],
      ['passkey', ['']],
    ] as const) {
      const context = await browser.newContext({ bypassCSP: true, reducedMotion: 'reduce' });
      await beginSignIn(context, factor);
      for (const [at, query] of queries.entries()) {
        const page = await context.newPage();
        const look = { axe, themes: byTurns(at) };
        assert.deepEqual(await faultsOf(page, `${desk.web}/two-factor${query}`, look), []);
        await page.getByRole('heading', { name: 'The second step' }).waitFor();
      }
      await context.close();
    }
  });

  async function pathOf(page: Page, path: string): Promise<string> {
    if (!path.endsWith(first)) return path;
    if (path.startsWith('/status')) return statusPath(page);
    await page.goto(desk.web + path.slice(0, -first.length));
    const found = await page.locator('main .row-link').first().getAttribute('href');
    assert.ok(found, `${path} has no rows`);
    return found;
  }

  async function statusPath(page: Page): Promise<string> {
    await page.goto(desk.web + (await pathOf(page, '/exchanges/first')));
    const link = page.getByRole('region', { name: 'Share the status' }).getByRole('link');
    return new URL((await link.getAttribute('href')) ?? '').pathname;
  }

  /** Leaves a sign-in that waits for its second step. */
  async function beginSignIn(context: BrowserContext, factor: 'app' | 'passkey'): Promise<void> {
    const page = await context.newPage();
    const member = { ...person, email: `${factor}@example.com` };
    await openAccount(page, desk, member, [factor]);
    await context.clearCookies();
    await signInAs(context, member, /\/two-factor/);
    await page.close();
  }

  const asAdmin = (context: BrowserContext) => signInAs(context, desk.admin, /\/admin/);

  /** The welcome tells the customer's password. */
  async function signInAsCustomer(context: BrowserContext): Promise<void> {
    for (let tries = 0; tries < 50; tries += 1) {
      const [, email, password] =
        /Customer\s+(\S+@\S+)\s+Password\s+(\S+)/.exec(desk.output()) ?? [];
      if (email !== undefined && password !== undefined)
        return signInAs(context, { email, password }, /\/exchanges/);
      await sleep(200);
    }
    throw new Error('The welcome names no customer.');
  }

  async function signInAs(
    context: BrowserContext,
    person: Desk['admin'],
    to: RegExp,
  ): Promise<void> {
    const page = await context.newPage();
    await page.goto(`${desk.web}/signin`);
    await signIn(page, person);
    await page.waitForURL(to);
    await page.close();
  }

  group('the public site', publicPages);
  group('the account', memberPages, asAdmin);
  group("a customer's exchange", exchangePages, signInAsCustomer);
  group('the desk', adminPages, asAdmin);
});
