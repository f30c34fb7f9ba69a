/**
 * Rules about the files themselves, which no other tool knows: short files, no
 * unfinished marks, nothing of the machine they were written on, and a lockfile
 * that works with any registry.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LONGEST_FILE = 300;
const CODE = /\.(ts|mjs|cjs|svelte)$/;
const TEXT = /\.(ts|mjs|cjs|svelte|css|html|sql|json|md|ya?ml|txt)$/;
const SKIPPED =
  /(^|\/)(node_modules|build|\.svelte-kit|\.git|storage|\.cache|paraglide|coverage|test-results)(\/|$)/;
// Whole texts, and messages of a language, are as long as what they say.
const LONG_BY_NATURE = /^(apps\/api\/src\/seed\/|package-lock\.json$)|\.generated\./;

const FORBIDDEN: readonly { pattern: RegExp; files: RegExp; complaint: string }[] = [
  { pattern: /\b(TODO|FIXME|XXX)\b/, files: CODE, complaint: 'marks unfinished work' },
  { pattern: /@ts-(ignore|nocheck)/, files: CODE, complaint: 'silences the compiler' },
  {
    pattern: /\b(parseFloat|Number)\(|\.toFixed\(|Math\.(round|floor|ceil|trunc)\(/,
    files:
      /^(packages\/money\/src|apps\/api\/src\/features\/(exchanges|ledger|pairs|rates))\/(?!.*\.test\.ts$)/,
    complaint: 'brings floating point near money',
  },
  {
    pattern: /\b(it|test|describe)\.only\(/,
    files: CODE,
    complaint: 'would leave out all other tests',
  },
  {
    pattern: /(^|[\s'"`(=])\/(home|Users|work|farm|root)\/[\w.-]+/m,
    files: TEXT,
    complaint: 'names a path of one machine',
  },
];

/** Every complaint as `path:line what is wrong`. Empty when all is tidy. */
export function untidy(root: string): string[] {
  const files = globSync('**/*', { cwd: root, exclude: (path) => SKIPPED.test(path) })
    .concat(globSync('.*', { cwd: root }))
    .filter((path) => TEXT.test(path) && statSync(join(root, path)).isFile())
    .toSorted();
  return files.flatMap((path) => complaintsAbout(path, readFileSync(join(root, path), 'utf8')));
}

/** The complaints about one file. `path` is relative to the repository. */
export function complaintsAbout(path: string, text: string): string[] {
  if (path === 'package-lock.json') return complaintsAboutLockfile(path, text);
  const lines = text.split('\n').length - 1;
  const long = CODE.test(path) && !LONG_BY_NATURE.test(path) && lines > LONGEST_FILE;
  return [
    ...(long
      ? [`${path}:${LONGEST_FILE + 1} has ${lines} lines; ${LONGEST_FILE} are the most`]
      : []),
    ...FORBIDDEN.flatMap(({ pattern, files, complaint }) => {
      // This file and its test must name what they look for.
      if (!files.test(path) || path.startsWith('tools/tidy.')) return [];
      const found = pattern.exec(text);
      if (found === null) return [];
      const line = text.slice(0, found.index).split('\n').length;
      return [`${path}:${line} ${complaint}: ${found[0].trim()}`];
    }),
  ];
}

function complaintsAboutLockfile(path: string, text: string): string[] {
  const found = /"resolved": "(https?:\/\/[^/"]+)/.exec(text);
  if (found === null) return [];
  const line = text.slice(0, found.index).split('\n').length;
  return [`${path}:${line} names a download host: ${found[1]}; .npmrc leaves such addresses out`];
}
