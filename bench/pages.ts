/**
 * The script that each public page cannot work without, as the server compresses it for browsers, beside the limit.
 * Ends with 1 when one is passed. What a phone makes of the pages is measured by `lighthouse.ts`.
 *
 *   node_modules/.bin/node bench/pages.ts               starts a desk with demo data of its own
 *   node_modules/.bin/node bench/pages.ts http://…      measures a site that runs
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { startDesk } from '../e2e/support/desk.ts';
import { publicPages } from '../e2e/support/public-pages.ts';

const pages = [...publicPages, '/nowhere-at-all'];
const limitBytes = 60_000;

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

const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(5);

/** Prints a line for each page; answers whether all pages are within the limit. */
async function report(site: string): Promise<boolean> {
  console.log(`${'page'.padEnd(38)}script of ${limitBytes / 1000} kB`);
  let areWithin = true;
  for (const path of pages) {
    const bytes = (await firstScripts(site + path)).values().reduce((sum, size) => sum + size, 0);
    const isWithin = bytes <= limitBytes;
    console.log(`${path.padEnd(38)}${kilobytes(bytes)} kB${isWithin ? '' : '  over the limit'}`);
    areWithin &&= isWithin;
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
