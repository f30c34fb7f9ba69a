/** Rules about the files themselves that no linter knows. */
const LONGEST_FILE = 300;
const CODE = /\.(ts|mjs|cjs|svelte)$/;
const TEXT = /\.(ts|mjs|cjs|svelte|css|html|sql|json|md|ya?ml|txt)$/;
const LONG_BY_NATURE = /\.generated\./;

const FORBIDDEN: readonly { pattern: RegExp; files: RegExp; complaint: string }[] = [
  {
    pattern: /\b(parseFloat|Number)\(|\.toFixed\(|Math\.(round|floor|ceil|trunc)\(/,
    files:
      /^(packages\/money\/src|apps\/api\/src\/features\/(exchanges|ledger|pairs|rates))\/(?!.*\.test\.ts$)/,
    complaint: 'brings floating point near money',
  },
  {
    pattern: /(^|[\s'"`(=])\/(home|Users|work|farm|root)\/[\w.-]+/m,
    files: TEXT,
    complaint: 'names a path of one machine',
  },
  {
    pattern: /"resolved": "https?:\/\/[^/"]+/,
    files: /^package-lock\.json$/,
    complaint: 'names a download host, which .npmrc leaves out',
  },
];

/** The complaints about one file as `path:line what is wrong`. `path` is relative to the repository. */
export function complaintsAbout(path: string, text: string): string[] {
  const lines = text.split('\n').length - 1;
  const isLong = CODE.test(path) && !LONG_BY_NATURE.test(path) && lines > LONGEST_FILE;
  return [
    ...(isLong
      ? [`${path}:${LONGEST_FILE + 1} has ${lines} lines; ${LONGEST_FILE} are the most`]
      : []),
    ...FORBIDDEN.flatMap(({ pattern, files, complaint }) => {
      // This file and its test must name what they look for.
      const found = files.test(path) && !path.startsWith('tools/tidy.') && pattern.exec(text);
      if (!found) return [];
      const line = text.slice(0, found.index).split('\n').length;
      return [`${path}:${line} ${complaint}: ${found[0].trim()}`];
    }),
  ];
}
