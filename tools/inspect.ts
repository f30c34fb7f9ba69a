/**
 * `npm run inspect`: what takes minutes and few changes can touch; or only the inspections that are
 * named, as in `npm run inspect -- pages markup`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './configuration.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { runTests } from './test/run.ts';

const INSPECTIONS: Readonly<Record<string, string>> = {
  /** Every page at both widths: axe, what is wider than the screen, errors in the console. */
  pages: 'e2e/inspect/pages.inspect.ts',
  /** The public pages by the W3C's checker, which needs Java, and their structured data. */
  markup: 'e2e/inspect/markup.inspect.ts',
  /** The public pages by Lighthouse, on its phone. */
  lighthouse: 'bench/lighthouse.ts',
  /** Each act on an exchange in each state by people: operators by keyboard, customers on a phone. */
  desk: 'e2e/inspect/desk.inspect.ts',
  /** Random histories of exchanges, and the books after each act; a quarter of an hour. */
  histories: 'apps/api/test/histories.inspect.ts',
  /** Thirty kills of the service while operators decide. */
  kills: 'apps/api/test/decision-crash.inspect.ts',
  /** `npm start` on a fresh copy; as root also in a folder only root may enter, and as nobody. */
  smoke: 'tools/smoke.inspect.ts',
};

await runCommand(async () => {
  const words = process.argv.slice(2);
  const known = Object.keys(INSPECTIONS);
  const unknown = words.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new PlainError(`There is no inspection "${unknown}"; there are ${known.join(', ')}.`);
  }
  const paths = Object.entries(INSPECTIONS)
    .filter(([name]) => words.length === 0 || words.includes(name))
    .map(([, path]) => path);
  // The tests' temporary folder and database are gone once they have run.
  const env = { ...process.env };
  const tests = paths.filter((path) => /^(e2e|apps)\//.test(path));
  let code = tests.length > 0 ? await runTests(tests, []) : 0;
  for (const path of paths.filter((each) => !tests.includes(each))) {
    const { status } = spawnSync(process.execPath, [join(ROOT, path)], { stdio: 'inherit', env });
    code ||= status ?? 1;
  }
  return code;
});
