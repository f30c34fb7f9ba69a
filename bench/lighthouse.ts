/**
 * What Lighthouse says of the public pages on its phone (a quarter of this
 * machine's speed, slow 4G, simulated), the median of five visits, beside the
 * limits. Ends with 1 when one is missed. Takes some ten seconds a visit.
 *
 *   npm run inspect -- lighthouse                            starts a desk with demo data of its own
 *   node_modules/.bin/node bench/lighthouse.ts http://… /    measures pages of a site that runs
 */
import lighthouse from 'lighthouse';
import { openBrowser, startDesk } from '../e2e/support/desk.ts';
import { publicPages } from '../e2e/support/public-pages.ts';
import { freePort } from '../tools/ports.ts';
import { median } from './service.ts';

const limits = {
  performance: 95,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
} as const;
type Category = keyof typeof limits;
const categories = Object.keys(limits) as Category[];
const visits = 5;

interface Visit {
  readonly scores: Readonly<Record<Category, number>>;
  /** What cost points, as the names of the audits. */
  readonly lost: readonly string[];
}

/** Lighthouse loses a page's trace now and then, and asks to be run again; of that nothing is measured. */
const tries = 3;

async function visit(address: string, port: number, left = tries): Promise<Visit> {
  const result = await lighthouse(address, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: categories,
  });
  if (!result) throw new Error(`Lighthouse told nothing of ${address}.`);
  const { categories: found, audits, runtimeError } = result.lhr;
  if (runtimeError && left > 1) return visit(address, port, left - 1);
  if (runtimeError) throw new Error(`${address}: ${runtimeError.message}`);
  const scores = categories.map((name) => [name, Math.round((found[name]?.score ?? 0) * 100)]);
  const weighed = categories.flatMap((name) => found[name]?.auditRefs ?? []);
  const lost = weighed.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 0.9);
  return { scores: Object.fromEntries(scores), lost: lost.map(({ id }) => id) };
}

/** Prints a line for each page; answers whether all pages are within the limits. */
async function measure(site: string, paths: readonly string[]): Promise<boolean> {
  const port = await freePort();
  const browser = await openBrowser({ debuggingPort: port });
  let areWithin = true;
  try {
    console.log(
      ['page'.padEnd(38), ...categories.map((name) => `${name} of ${limits[name]}`)].join('  '),
    );
    for (const path of paths) {
      const seen: Visit[] = [];
      for (let round = 0; round < visits; round++) seen.push(await visit(site + path, port));
      const medians = categories.map((name) => median(seen.map(({ scores }) => scores[name])));
      const good = categories.every((name, at) => (medians[at] ?? 0) >= limits[name]);
      areWithin &&= good;
      const figures = categories.map((name, at) =>
        String(medians[at]).padStart(`${name} of ${limits[name]}`.length),
      );
      const lost = [...new Set(seen.flatMap((one) => one.lost))].join(', ');
      console.log([path.padEnd(38), ...figures, good ? '' : `missed: ${lost}`].join('  '));
    }
    return areWithin;
  } finally {
    await browser.close();
  }
}

const [given, ...asked] = process.argv.slice(2);
const desk = given === undefined ? await startDesk() : null;
try {
  const site = (given ?? desk?.web ?? '').replace(/\/$/, '');
  process.exitCode = (await measure(site, asked.length > 0 ? asked : publicPages)) ? 0 : 1;
} finally {
  await desk?.stop();
}
