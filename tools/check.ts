/**
 * `npm run check`: everything that can be said about the code without running
 * it, side by side, with a summary. `npm run check -- lint types` runs only the
 * steps of these names.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { budget, type File } from './budget.ts';
import { ROOT } from './configuration.ts';
import { interruption } from './interruption.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { say } from './progress.ts';
import { complaintsAbout } from './tidy.ts';

interface Outcome {
  passed: boolean;
  output: string;
  /** Shown also when it passed. */
  isReport?: boolean;
}

type Check = (signal: AbortSignal) => Promise<Outcome>;

/** A package's script on the pinned Node, in this folder of the repository. */
function script(path: string, words: string[] = [], folder = '.'): Check {
  return (signal) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [join(ROOT, path), ...words], {
        cwd: join(ROOT, folder),
        env: { ...process.env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
        signal,
      });
      let output = '';
      const keep = (chunk: Buffer) => (output += chunk.toString());
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.once('error', (error) => resolve({ passed: false, output: error.message }));
      child.once('close', (code) => resolve({ passed: code === 0, output }));
    });
}

/** One after the other, as far as they pass. */
function inOrder(...checks: Check[]): Check {
  return async (signal) => {
    let last: Outcome = { passed: true, output: '' };
    for (const check of checks) {
      last = await check(signal);
      if (!last.passed) break;
    }
    return last;
  };
}

/** All but pictures and other binary files. */
function trackedFiles(): File[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((path) => /\.(ts|mjs|cjs|svelte|css|html|sql|json|md|ya?ml|txt)$/.test(path))
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const MODULES = 'node_modules';
const FOLDERS = ['apps', 'packages', 'tools', 'e2e'];

const CHECKS: Readonly<Record<string, Check>> = {
  types: script(`${MODULES}/@typescript/native/bin/tsc`, ['--project', '.']),
  // A fresh clone has neither the routes' types nor the messages.
  'types-web': inOrder(
    script(`${MODULES}/@sveltejs/kit/svelte-kit.js`, ['sync'], 'apps/web'),
    script('apps/web/paraglide.ts', [], 'apps/web'),
    script(
      `${MODULES}/svelte-check/bin/svelte-check`,
      ['--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human'],
      'apps/web',
    ),
  ),
  lint: script(`${MODULES}/oxlint/bin/oxlint`, ['--deny-warnings']),
  format: script(`${MODULES}/oxfmt/bin/oxfmt`, ['--check', '.']),
  rules: script(`${MODULES}/dependency-cruiser/bin/dependency-cruiser.mjs`, [
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    ...FOLDERS,
  ]),
  unused: script(`${MODULES}/knip/bin/knip.js`, ['--no-progress', '--no-config-hints']),
  tidy: async () => {
    const output = trackedFiles().flatMap(({ path, text }) => complaintsAbout(path, text));
    return { passed: output.length === 0, output: output.join('\n') };
  },
  budget: async () => {
    const { lines, isHeld } = budget(trackedFiles());
    return { passed: isHeld, output: lines.join('\n'), isReport: true };
  },
};

await runCommand(async () => {
  const signal = interruption();
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !(name in CHECKS));
  if (unknown !== undefined) {
    throw new PlainError(
      `There is no check "${unknown}"; there are ${Object.keys(CHECKS).join(', ')}.`,
    );
  }
  const chosen = Object.entries(CHECKS).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  );
  const outcomes = await Promise.all(
    chosen.map(async ([name, check]) => {
      const began = Date.now();
      const outcome = await check(signal);
      report(name, outcome, Date.now() - began);
      return outcome;
    }),
  );
  if (signal.aborted) return 130;
  const failed = outcomes.filter(({ passed }) => !passed).length;
  say();
  say(
    failed === 0
      ? `All ${outcomes.length} checks passed.`
      : `${failed} of ${outcomes.length} checks failed.`,
  );
  return failed === 0 ? 0 : 1;
});

function report(name: string, { passed, output, isReport }: Outcome, tookMs: number): void {
  const [colour, mark] = passed ? (['green', '✓'] as const) : (['red', '✗'] as const);
  say(
    `${styleText(colour, mark, { stream: process.stdout })} ${name} (${(tookMs / 1000).toFixed(1)} s)`,
  );
  if (passed && isReport !== true) return;
  for (const line of output.trim().split('\n')) say(`  ${line}`);
  say();
}
