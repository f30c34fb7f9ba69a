/** A visitor reads the rates: the list, a pair's chart and table, the converter beside it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, startDesk, type Desk } from './desk.ts';

/** The amounts that their field does not show whole. */
const CUT = `[...document.querySelectorAll('input.figure')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map(({ value }) => value)`;

/** What is wider than the page or its field, broken inside, and then what runs the wrong way. */
const ASTRAY = `(() => {
  const root = document.documentElement;
  const lines = (one) => new Set([...one.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  const astray = [...document.querySelectorAll('bdi.figure > span')].filter((one) => lines(one) > 1);
  const wider = root.scrollWidth > innerWidth ? ['the page'] : [];
  root.dir = 'rtl';
  const turned = [...document.querySelectorAll('main :is(span, bdi).figure')].filter(
    (one) => getComputedStyle(one).direction !== 'ltr',
  );
  return [
    ...wider,
    ...${CUT},
    ...[...astray, ...turned].map(({ textContent }) => textContent),
  ];
})()`;

/** Whether all of a page of the table ends with the minute as this browser has it. */
const OWN_TIMES = `(() => {
  const times = [...document.querySelectorAll('#figures tbody time')];
  return times.length === 25 && times.every(({ dateTime, textContent }) =>
    textContent.endsWith(new Date(dateTime).toTimeString().slice(0, 5)));
})()`;

describe('the public rates', () => {
  let desk: Desk;
  let browser: Browser;

  before(async () => {
    [desk, browser] = await Promise.all([startDesk(), openBrowser()]);
  });
  after(async () => {
    await browser?.close();
    await desk?.stop();
  });

  it('are searched, and each leads to its page', async () => {
    const page = await browser.newPage();
    await page.goto(`${desk.web}/rates`, { waitUntil: 'networkidle' });
    await page.getByRole('searchbox').fill('usd eur');
    await page.waitForURL(/\?q=usd\+eur$/);
    await page.getByRole('link', { name: /^USD\s+to\s+EUR/ }).click();
    await page.waitForURL(/\/rates\/usd-to-eur$/);
    const heading = page.getByRole('heading', { level: 1 });
    assert.match(await heading.innerText(), /USD\s*to\s*EUR/);
    await page.close();
  });

  it('are asked for anew while somebody looks, the service being another origin', async () => {
    for (const path of ['/rates', '/rates/usd-to-eur', '/']) {
      const page = await browser.newPage();
      await page.clock.install();
      await page.goto(desk.web + path, { waitUntil: 'networkidle' });
      const asked = page.waitForRequest(/__data\.json/, { timeout: 15_000 });
      await page.clock.runFor('02:00');
      await asked;
      await page.close();
    }
  });

  it('are read from the chart by keyboard, and from its table', async () => {
    const page = await browser.newPage();
    await page.goto(`${desk.web}/rates/usd-to-eur`, { waitUntil: 'networkidle' });
    const reader = page.getByRole('slider', { name: 'Read the chart by time' });
    await reader.focus();
    const now = await reader.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await reader.getAttribute('aria-valuetext'), now);
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    await page.waitForURL(/range=month/);
    await page.getByText('The figures as a table').click();
    assert.ok((await page.getByRole('row').count()) > 20);
    await page.close();
  });

  it('stand without script, with the price of an amount', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${desk.web}/rates/usd-to-eur?range=year`);
    await page.getByRole('img', { name: /^Chart of the mid rate/ }).waitFor();
    await page.getByRole('textbox', { name: 'You send' }).fill('1000');
    await page.getByRole('button', { name: 'Update the price' }).click();
    await page.waitForURL(/\/rates\/usd-to-eur\?.*amount=1000/);
    await page.getByRole('link', { name: 'Exchange 1,000.00 USD' }).waitFor();

    await page.goto(`${desk.web}/rates/usd-to-eur?range=month`);
    await page.getByText('The figures as a table').click();
    const newest = await page.getByRole('rowheader').first().innerText();
    await page.getByRole('link', { name: 'Older' }).click();
    await page.waitForURL(/figures=2#figures$/);
    assert.notEqual(await page.getByRole('rowheader').first().innerText(), newest);
    await page.getByRole('link', { name: 'Newer' }).click();
    await page.getByText(newest).first().waitFor();
    await context.close();
  });

  it('open the converter for those whom a monitor sends', async () => {
    const page = await browser.newPage();
    await page.goto(`${desk.web}/?cur_from=SEPAEUR&cur_to=wireusd`, { waitUntil: 'networkidle' });
    await page.getByText('1 EUR =').waitFor();
    await page.close();
  });

  it('are a page of at most 180 kB before it is packed, styles of some 78 kB included', async () => {
    for (const range of ['day', 'week', 'month', 'year']) {
      const page = await (await fetch(`${desk.web}/rates/usd-to-eur?range=${range}`)).text();
      assert.ok(page.length < 180_000, `${range}: ${page.length} characters`);
    }
  });

  it('come once: what is only read stands in the page, and its data says where', async () => {
    for (const path of ['/', '/rates', '/rates/usd-to-eur']) {
      const page = await (await fetch(desk.web + path)).text();
      assert.equal(page.match(/(<|\\u003C)caption/gi)?.length, 1, path);
    }
  });

  it('have the times of their table in the reader’s own zone', async () => {
    const context = await browser.newContext({ timezoneId: 'Asia/Kathmandu', bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${desk.web}/rates/usd-to-eur`, { waitUntil: 'networkidle' });
    await page.waitForFunction(OWN_TIMES);
    await page.getByRole('link', { name: 'Month', exact: true }).click();
    await page.locator('[aria-current][href$="range=month"]').waitFor();
    await page.waitForFunction(OWN_TIMES);
    await context.close();
  });

  for (const width of [320, 360, 375, 390]) {
    it(`fit a phone of ${width} px, and no figure breaks, nor turns round from right to left`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 } });
      for (const path of [
        '/',
        '/rates',
        '/rates/eur-to-btc',
        '/rates/usdt-trc20-to-usd-cash',
        '/rates/usdt-trc20-to-eth',
      ]) {
        await page.goto(desk.web + path, { waitUntil: 'networkidle' });
        const found = await page.evaluate<string[]>(ASTRAY);
        assert.deepEqual(found, [], path);
      }
      await page.close();
    });
  }

  it('show each digit of an amount while it is typed, beside the currency or above it', async () => {
    const page = await browser.newPage();
    const cut: string[] = [];
    for (const width of [320, 360, 375, 390, 412, 640, 1024, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(desk.web, { waitUntil: 'networkidle' });
      const field = page.getByLabel('You send', { exact: true });
      for (const typed of ['300', '1,234.5', '12,345.67', '123,456.78', '12,345,678.90']) {
        await field.fill(typed);
        const found = await page.evaluate<string[]>(CUT);
        cut.push(...found.map((value) => `${value} at ${width}`));
      }
    }
    assert.deepEqual(cut, []);
    await page.close();
  });

  it('say when the counter is open, by the clock of the desk', async () => {
    const page = await (await fetch(`${desk.web}/rates/usdt-trc20-to-usd-cash`)).text();
    assert.match(page, /Mon–Fri 09:00–18:00; Sat 10:00–14:00 \(time in Europe\/Lisbon\)/);
    const always = await (await fetch(`${desk.web}/rates/usd-to-eur`)).text();
    assert.doesNotMatch(always, /time in Europe/);
  });

  it('lead to the one address of a pair, however it is typed', async () => {
    const answer = await fetch(`${desk.web}/rates/USDT-TRC20-to-EUR?range=day`, {
      redirect: 'manual',
    });
    assert.equal(answer.status, 301);
    assert.equal(answer.headers.get('location'), '/rates/usdt-trc20-to-eur?range=day');
  });

  it('say that there is no connection instead of doing nothing', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const uncaught: Error[] = [];
    page.on('pageerror', (error) => uncaught.push(error));
    await page.goto(desk.web, { waitUntil: 'networkidle' });
    await context.setOffline(true);
    await page.getByRole('link', { name: /^Exchange [\d,.]+ / }).click();
    const said = page.getByText('You’re offline. Check your connection and try again.');
    await page.getByRole('alert').filter({ has: said }).waitFor();
    assert.deepEqual(uncaught, []);
    await context.close();
  });

  it('answer 404 for a pair that is none', async () => {
    const answer = await fetch(`${desk.web}/rates/usd-to-gold`);
    assert.equal(answer.status, 404);
  });

  /** The converter as it is until its script comes, which is soon. */
  async function openSlowly(): Promise<Page> {
    const page = await browser.newPage();
    await page.route('**/*.js', async (route) => {
      await sleep(500);
      await route.continue();
    });
    await page.goto(`${desk.web}/?pair=usd-to-eur`, { waitUntil: 'commit' });
    return page;
  }

  it('keep the currency that was chosen before the script came, and the keyboard’s place', async () => {
    const page = await openSlowly();
    const native = page.getByRole('combobox', { name: 'Currency you send' });
    await native.focus();
    await native.selectOption('eur');
    const taken = page.getByRole('button', { name: /^Currency you receive: USD/ });
    await taken.waitFor();
    assert.equal(await page.evaluate('document.activeElement.name'), 'send');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: /^Currency you send: EUR/ }).waitFor();
    assert.equal(
      await page.evaluate('document.activeElement.ariaLabel'),
      'Swap what you send and receive',
    );
    await page.close();
  });

  it('have in the address what the converter shows, whichever change was the last', async () => {
    const page = await browser.newPage();
    await page.goto(`${desk.web}/?pair=usd-to-eur`, { waitUntil: 'networkidle' });
    const entries = await page.evaluate('history.length');
    await page.getByRole('textbox', { name: 'You send', exact: true }).fill('777');
    await page.waitForURL(/pair=usd-to-eur&side=send&amount=777$/);
    await page.getByRole('link', { name: 'Swap what you send and receive' }).click();
    await page.waitForURL(/pair=eur-to-usd&side=receive&amount=777$/);
    assert.equal(await page.evaluate('history.length'), entries);
    await page.reload();
    const receive = page.getByRole('textbox', { name: 'You receive', exact: true });
    assert.equal(await receive.inputValue(), '777.00');
    await page.close();
  });

  it('leave selected what was selected before the script came', async () => {
    const page = await openSlowly();
    const send = page.getByRole('textbox', { name: 'You send', exact: true });
    await send.selectText();
    // The searchable list stands there once the script has come.
    await page.getByRole('button', { name: /^Currency you send/ }).waitFor();
    await page.keyboard.type('500');
    assert.equal(await send.inputValue(), '500');
    await page.close();
  });

  it('are turned around without script', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${desk.web}/?pair=usd-to-eur&amount=500`);
    await page.getByRole('link', { name: 'Swap what you send and receive' }).click();
    await page.waitForURL(/pair=eur-to-usd/);
    const receive = page.getByRole('textbox', { name: 'You receive', exact: true });
    assert.equal(await receive.inputValue(), '500.00');
    await context.close();
  });
});
