/** How large the repository may be. `npm run check -- budget` prints the figures and holds the limits. */

/** A tracked file. */
export interface File {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly limit: number;
  /** Answers the figure and, where it is one of many, where it was found. */
  measure(files: readonly File[]): { found: number; where?: string };
}

const CODE = /\.(ts|svelte|mjs|css|sql)$/;
const GENERATED = /\.generated\.|^apps\/web\/messages\//;
const TEST = /\.(test|e2e|inspect|victim)\.ts$|^(e2e|apps\/api\/test)\//;
const DIALECT =
  /\b(told|deeds?|heard|believed|kept|unheard|chorus|sparing|bury|planted|dressed|errand|voucher)\b/gi;
const WIDE_FOLDERS = new Set(['apps/web/src/lib/ui', 'packages/contract/src']);

const isSource = ({ path }: File) => CODE.test(path) && !GENERATED.test(path) && !TEST.test(path);
const isTest = ({ path }: File) => CODE.test(path) && TEST.test(path);
const isDoc = ({ path }: File) => path.startsWith('docs/') && path.endsWith('.md');
const linesOf = ({ text }: File) => text.split('\n').length - 1;
const bytesOf = ({ text }: File) => Buffer.byteLength(text);
const sum = (files: readonly File[], of: (file: File) => number) =>
  files.reduce((total, file) => total + of(file), 0);
const largest = (counts: Iterable<readonly [string, number]>) => {
  const [where, found] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
  return { found, where };
};

const FIGURES: readonly Figure[] = [
  {
    name: 'source',
    unit: 'lines',
    limit: 94_000,
    measure: (files) => ({ found: sum(files.filter(isSource), linesOf) }),
  },
  {
    name: 'tests',
    unit: 'lines',
    limit: 54_500,
    measure: (files) => ({ found: sum(files.filter(isTest), linesOf) }),
  },
  {
    name: 'largest folder',
    unit: 'source files',
    limit: 25,
    measure: (files) => {
      const folders = Object.groupBy(files.filter(isSource), ({ path }) =>
        path.slice(0, Math.max(0, path.lastIndexOf('/'))),
      );
      const counts = Object.entries(folders).filter(([folder]) => !WIDE_FOLDERS.has(folder));
      return largest(counts.map(([folder, inside]) => [folder, inside?.length ?? 0]));
    },
  },
  {
    name: 'migrations',
    unit: 'files',
    limit: 14,
    measure: (files) => ({
      found: files.filter(({ path }) => path.startsWith('apps/api/migrations/')).length,
    }),
  },
  {
    name: 'CHANGELOG',
    unit: 'bytes',
    limit: 6000,
    measure: (files) => ({
      found: sum(
        files.filter(({ path }) => path === 'CHANGELOG.md'),
        bytesOf,
      ),
    }),
  },
  {
    name: 'docs',
    unit: 'bytes',
    limit: 90_000,
    measure: (files) => ({ found: sum(files.filter(isDoc), bytesOf) }),
  },
  {
    name: 'longest decision record',
    unit: 'lines',
    limit: 70,
    measure: (files) =>
      largest(
        files
          .filter(({ path }) => path.startsWith('docs/decisions/'))
          .map((file) => [file.path, linesOf(file)]),
      ),
  },
  {
    name: 'dialect words',
    unit: 'uses',
    limit: 150,
    measure: (files) => ({
      found: sum(
        // This file must name what it looks for.
        files.filter(({ path }) => /\.(ts|svelte)$/.test(path) && path !== 'tools/budget.ts'),
        ({ text }) => text.match(DIALECT)?.length ?? 0,
      ),
    }),
  },
];

/** A line for each figure, and whether all of them are within their limits. */
export function budget(files: readonly File[]): { lines: string[]; isHeld: boolean } {
  const measured = FIGURES.map((figure) => ({ ...figure, ...figure.measure(files) }));
  const lines = measured.map(({ name, unit, limit, found, where }) => {
    const mark = found > limit ? '✗' : '✓';
    const place = where ? ` (${where})` : '';
    return `${mark} ${name.padEnd(24)} ${number(found).padStart(8)} ${unit}${place}; at most ${number(limit)}`;
  });
  return { lines, isHeld: measured.every(({ found, limit }) => found <= limit) };
}

function number(value: number): string {
  return value.toLocaleString('en');
}
