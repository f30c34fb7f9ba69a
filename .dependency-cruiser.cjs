/**
 * Who may use whom, as docs/architecture.md says it. The order of the features
 * is read from apps/api/src/features.ts, where one line registers and ranks.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const API = '^apps/api/src';
const TESTS = '\\.(test|e2e|bench)\\.ts$';

/** The folders of the features, those that may be used by all others first. */
function rankedFeatures() {
  const text = readFileSync(join(__dirname, 'apps/api/src/features.ts'), 'utf8');
  const imports = [...text.matchAll(/import \{ (\w+) \} from '#features\/([\w/-]+)\/routes\.ts'/g)];
  const folders = new Map(imports.map(([, name, folder]) => [name, folder]));
  const list = /features[^=]*=\s*\[([^\]]*)\]/.exec(text)?.[1] ?? '';
  const ranked = list
    .split(',')
    .map((name) => folders.get(name.trim()))
    .filter((folder) => folder !== undefined);
  if (ranked.length === 0) throw new Error('No feature was found in apps/api/src/features.ts.');
  return ranked;
}

/** One rule for each feature: it may use those above it. */
function featureRules() {
  return rankedFeatures().map((feature, rank, all) => {
    const above = all.slice(0, rank).join('|');
    return {
      name: `feature-${feature.replace('/', '-')}`,
      comment: `${feature} uses only the features above it in features.ts.`,
      severity: 'error',
      from: { path: `${API}/features/${feature}/`, pathNot: TESTS },
      to: {
        path: `${API}/features/`,
        pathNot: [
          `${API}/features/${feature}/`,
          // Drafts, revisions and links: what the features of content share.
          ...(feature.startsWith('content/') ? [`${API}/features/content/[^/]+\\.ts$`] : []),
          ...(above === '' ? [] : [`${API}/features/(${above})/`]),
        ],
      },
    };
  });
}

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    ...featureRules(),
    rule(
      'routes-and-stores-are-private',
      'A feature uses neither the routes nor the stores of another.',
      { path: `${API}/features/((content/)?[^/]+)/`, pathNot: TESTS },
      {
        path: `${API}/features/.+(/routes/|/store/|routes\\.ts$|store\\.ts$)`,
        pathNot: [`${API}/features/$1/`, `${API}/features/content/[^/]+\\.ts$`],
      },
    ),
    rule(
      'features-only-listed',
      'A feature that is not in features.ts has no rank and no guard.',
      { path: `${API}/features\\.ts$` },
      { path: `${API}/features/`, pathNot: '/routes\\.ts$' },
    ),
    rule(
      'content-base-knows-no-feature',
      'What the features of content share is below them.',
      { path: `${API}/features/content/[^/]+\\.ts$`, pathNot: TESTS },
      { path: `${API}/features/`, pathNot: `${API}/features/content/[^/]+\\.ts$` },
    ),
    rule(
      'platform-knows-no-feature',
      'Platform and kernel are machinery and words; they know no feature.',
      { path: `${API}/(platform|kernel)/`, pathNot: TESTS },
      { path: `${API}/(features/|features\\.ts$|app\\.ts$|main\\.ts$|open\\.ts$)` },
    ),
    rule(
      'kernel-stands-alone',
      'The kernel does no I/O and knows nothing but itself, the packages and a table of letters.',
      { path: `${API}/kernel/`, pathNot: TESTS },
      { pathNot: [`${API}/kernel/`, '^packages/', '^(node:)?crypto$', '^node_modules/any-ascii/'] },
    ),
    rule(
      'money-is-pure',
      'packages/money does no I/O and needs nothing.',
      { path: '^packages/money/src/', pathNot: TESTS },
      { pathNot: '^packages/money/src/' },
    ),
    rule(
      'html-does-no-io',
      'packages/html reads and writes text: HTML, JSON-LD and CSS.',
      { path: '^packages/html/src/', pathNot: TESTS },
      { pathNot: ['^packages/html/src/', 'node_modules/(@types/)?(sanitize-html|css-tree)/'] },
    ),
    rule(
      'packages-know-no-application',
      'The packages are what both applications agree on.',
      { path: '^packages/' },
      { path: '^(apps|tools|e2e|bench)/' },
    ),
    rule(
      'web-uses-packages-only',
      'The frontend knows the API by the contract alone.',
      { path: '^apps/web/' },
      { path: '^(apps/api|tools|e2e|bench)/' },
    ),
    rule(
      'api-knows-no-web',
      'The API knows neither the frontend nor the tools that start it.',
      { path: '^apps/api/src/' },
      { path: '^(apps/web|tools|e2e|bench|apps/api/test)/', pathNot: '^apps/api/test/' },
    ),
    rule(
      'no-test-code-in-the-product',
      'What only tests need must not run in production.',
      { path: '^(apps/(api|web)/src|packages/[^/]+/src)/', pathNot: TESTS },
      { path: `^apps/api/test/|${TESTS}` },
    ),
    rule(
      'lib-knows-no-route',
      'In the frontend routes use lib, never the other way.',
      { path: '^apps/web/src/lib/' },
      { path: '^apps/web/src/routes/' },
    ),
    rule(
      'sql-in-stores-only',
      'SQL stands in store.ts or the folder store, and in the platform.',
      { path: `${API}/features/`, pathNot: [TESTS, '([/-]store\\.ts|/store/[^/]+\\.ts)$'] },
      { path: 'node_modules/(kysely|postgres)/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'no-cycles',
      'Two files that need each other are one, or lack a third.',
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    rule(
      'resolvable',
      'An import leads somewhere.',
      { pathNot: '\\.svelte$' },
      { couldNotResolve: true, pathNot: '^(\\$app|\\$env|\\$service-worker|\\./\\$types)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(build|\\.svelte-kit|paraglide)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.svelte', '.js', '.mjs', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
    cache: false,
  },
};
