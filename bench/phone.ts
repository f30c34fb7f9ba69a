/**
 * A middling phone on a slow network, played by Chromium: a quarter of this
 * machine's speed, 1.6 Mbit/s, 150 ms to every answer, nothing in its cache.
 */
import type { Browser } from 'playwright-core';

export interface Paint {
  /** Largest Contentful Paint, the median of the rounds. */
  largestMs: number;
  /** Cumulative Layout Shift, the worst of the rounds. */
  shift: number;
}

const screen = { width: 390, height: 844 };
const settleMs = 1_500;

// Runs in the page: sessions of shifts as browsers count them, at most 5 s with gaps under 1 s.
const observe = `
  window.measured = { largest: 0, shift: 0, session: 0, first: 0, last: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) measured.largest = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, startTime, value } of list.getEntries()) {
      if (hadRecentInput) continue;
      const goesOn = startTime - measured.last < 1000 && startTime - measured.first < 5000;
      measured.session = goesOn ? measured.session + value : value;
      if (!goesOn) measured.first = startTime;
      measured.last = startTime;
      measured.shift = Math.max(measured.shift, measured.session);
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Loads the page `rounds` times, each in a browser profile that has never seen it. */
export async function paint(browser: Browser, address: string, rounds: number): Promise<Paint> {
  const largest: number[] = [];
  let shift = 0;
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({
      viewport: screen,
      deviceScaleFactor: 3,
      isMobile: true,
      hasTouch: true,
    });
    const page = await context.newPage();
    await page.addInitScript(observe);
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: 1_600_000 / 8,
      uploadThroughput: 750_000 / 8,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.waitForTimeout(settleMs);
    const seen = await page.evaluate<{ largest: number; shift: number }>('measured');
    largest.push(seen.largest);
    shift = Math.max(shift, seen.shift);
    await context.close();
  }
  const sorted = largest.toSorted((one, other) => one - other);
  return { largestMs: sorted[Math.floor(sorted.length / 2)] ?? 0, shift };
}

/** Bytes as sent of the scripts that the page fetches beyond `first`, without being touched. */
export async function laterScripts(
  browser: Browser,
  address: string,
  first: ReadonlySet<string>,
): Promise<number> {
  const context = await browser.newContext({ viewport: screen });
  const page = await context.newPage();
  const asked: Promise<number>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || first.has(response.url())) return;
    asked.push(
      response
        .request()
        .sizes()
        .then(({ responseBodySize }) => responseBodySize),
    );
  });
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.waitForTimeout(settleMs);
  const bytes = (await Promise.all(asked)).reduce((sum, one) => sum + one, 0);
  await context.close();
  return bytes;
}
