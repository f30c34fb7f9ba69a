/**
 * What a page costs a phone: the compressed script that each public page loads
 * and, where Chromium is found, when its largest part is painted and how much
 * moves meanwhile, beside the limits. Ends with 1 when one is passed.
 *
 *   node_modules/.bin/node bench/pages.ts               starts a desk with demo data of its own
 *   node_modules/.bin/node bench/pages.ts http://…      measures a site that runs
 */
import { gzipSync } from 'node:zlib';
import { openBrowser, startDesk } from '../e2e/desk.ts';
import { publicPages } from '../e2e/public-pages.ts';
import { findChromium } from '../tools/chromium.ts';
import { laterScripts, paint, type Paint } from './phone.ts';

const pages = [...publicPages, '/nowhere-at-all'];
const limits = { scriptBytes: 60_000, paintMs: 1_500, shift: 0.05 };
const rounds = 5;

interface Row {
  path: string;
  /** Compressed script that the page cannot work without. */
  first: number;
  /** What the page fetches by itself once it has settled. */
  later: number | null;
  paint: Paint | null;
}

/** The addresses of all scripts that come with the page, and of what these import. */
async function firstScripts(address: string): Promise<Map<string, number>> {
  const html = await text(address);
  const found = new Map<string, number>();
  const visit = async (script: string): Promise<void> => {
    if (found.has(script)) return;
    found.set(script, 0);
    const code = await text(script);
    found.set(script, gzipSync(code, { level: 9 }).length);
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

async function text(address: string): Promise<string> {
  return (await fetch(address, { headers: { accept: 'text/html,*/*' } })).text();
}

async function measure(site: string): Promise<Row[]> {
  const browser = findChromium(process.env) === null ? null : await openBrowser();
  try {
    const rows: Row[] = [];
    for (const path of pages) {
      const address = site + path;
      const scripts = await firstScripts(address);
      const first = [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0);
      const later = browser && (await laterScripts(browser, address, new Set(scripts.keys())));
      rows.push({ path, first, later, paint: browser && (await paint(browser, address, rounds)) });
    }
    return rows;
  } finally {
    await browser?.close();
  }
}

function report(rows: Row[]): boolean {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1).padStart(5);
  console.log(
    `page              script of ${limits.scriptBytes / 1000} kB   later   largest paint of ${limits.paintMs} ms   shift of ${limits.shift}`,
  );
  let kept = true;
  for (const row of rows) {
    const { path, first, later, paint: painted } = row;
    const good =
      first <= limits.scriptBytes &&
      (painted === null || (painted.largestMs < limits.paintMs && painted.shift < limits.shift));
    kept &&= good;
    const columns = [
      path.padEnd(18),
      `${kilobytes(first)} kB`.padEnd(18),
      later === null ? '' : `${kilobytes(later)}`.padEnd(8),
      painted === null
        ? 'Chromium was not found'
        : `${String(Math.round(painted.largestMs)).padStart(5)} ms`.padEnd(27) +
          painted.shift.toFixed(3),
      good ? '' : '  over the limit',
    ];
    console.log(columns.join(''));
  }
  return kept;
}

const given = process.argv[2];
const desk = given === undefined ? await startDesk() : null;
try {
  const kept = report(await measure((given ?? desk?.web ?? '').replace(/\/$/, '')));
  process.exitCode = kept ? 0 : 1;
} finally {
  await desk?.stop();
}
