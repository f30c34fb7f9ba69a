/**
 * What a page costs a phone: the script that each public page loads, as the
 * server compresses it for browsers, and, where Chromium is found, when its largest part is painted and how much
 * moves meanwhile, beside the limits. Ends with 1 when one is passed.
 *
 *   node_modules/.bin/node bench/pages.ts               starts a desk with demo data of its own
 *   node_modules/.bin/node bench/pages.ts http://…      measures a site that runs
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { openBrowser, startDesk } from '../e2e/support/desk.ts';
import { publicPages } from '../e2e/support/public-pages.ts';
import { findChromium } from '../tools/test/chromium.ts';
import { laterScripts, paint, type Paint } from './phone.ts';

const pages = [...publicPages, '/nowhere-at-all'];
const limits = { scriptBytes: 60_000, paintMs: 1_500, shift: 0.05 };
const rounds = 5;

interface Row {
  path: string;
  /** Bytes of script that the page cannot work without. */
  first: number;
  /** What the page fetches by itself once it has settled. */
  later: number | null;
  paint: Paint | null;
}

/** All scripts that come with the page and what these import, by address: how many bytes are sent. */
async function firstScripts(address: string): Promise<Map<string, number>> {
  const { text: html } = await fetchAsBrowsers(address);
  const found = new Map<string, number>();
  const visit = async (script: string): Promise<void> => {
    if (found.has(script)) return;
    found.set(script, 0);
    const { bytes, text: code } = await fetchAsBrowsers(script);
    found.set(script, bytes);
    for (const [, path] of code.matchAll(/(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g)) {
      await visit(new URL(path ?? '', script).href);
    }
  };
  for (const [path] of html.matchAll(/[./]*\/_app\/immutable\/[\w./-]+\.js/g)) {
    await visit(new URL(path, address).href);
  }
  if (found.size === 0) throw new Error(`${address} has no script: is it this site?`);
  return found;
}

/** With the compression that all browsers of today ask for; `fetch` would hide what was sent. */
async function fetchAsBrowsers(address: string): Promise<{ bytes: number; text: string }> {
  const headers = { accept: 'text/html,*/*', 'accept-encoding': 'br' };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { get } = address.startsWith('https:') ? https : http;
  get(address, { headers }, resolve).on('error', reject);
  const answer = await promise;
  const sent = await buffer(answer);
  const isCompressed = answer.headers['content-encoding'] === 'br';
  const text = (isCompressed ? brotliDecompressSync(sent) : sent).toString();
  return { bytes: sent.length, text };
}

async function measure(site: string, path: string, browser: Browser | null): Promise<Row> {
  const address = site + path;
  const scripts = await firstScripts(address);
  const first = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
  const later = browser && (await laterScripts(browser, address, new Set(scripts.keys())));
  return { path, first, later, paint: browser && (await paint(browser, address, rounds)) };
}

function isWithinLimits({ first, paint: painted }: Row): boolean {
  return (
    first <= limits.scriptBytes &&
    (painted === null || (painted.largestMs < limits.paintMs && painted.shift < limits.shift))
  );
}

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(5);

function print(row: Row): void {
  const { path, first, later, paint: painted } = row;
  const columns = [
    path.padEnd(38),
    `${kilobytes(first)} kB`.padEnd(18),
    later === null ? '' : kilobytes(later).padEnd(8),
    painted === null
      ? 'Chromium was not found'
      : `${String(Math.round(painted.largestMs)).padStart(5)} ms`.padEnd(27) +
        painted.shift.toFixed(3),
    isWithinLimits(row) ? '' : '  over the limit',
  ];
  console.log(columns.join(''));
}

/** Prints a line for each page; answers whether all pages are within the limits. */
async function report(site: string): Promise<boolean> {
  const browser = findChromium(process.env) === null ? null : await openBrowser();
  console.log(
    `${'page'.padEnd(38)}script of ${limits.scriptBytes / 1000} kB   later   largest paint of ${limits.paintMs} ms   shift of ${limits.shift}`,
  );
  let areWithin = true;
  try {
    for (const path of pages) {
      const row = await measure(site, path, browser);
      print(row);
      areWithin &&= isWithinLimits(row);
    }
  } finally {
    await browser?.close();
  }
  return areWithin;
}

const given = process.argv[2];
const desk = given === undefined ? await startDesk() : null;
try {
  const areWithin = await report((given ?? desk?.web ?? '').replace(/\/$/, ''));
  process.exitCode = areWithin ? 0 : 1;
} finally {
  await desk?.stop();
}
