/**
 * One configuration for SvelteKit, its adapter, the stylesheet and the message
 * catalogue. Nothing about where the site will run is decided here: addresses
 * come from the environment when the built server starts.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import adapterNode from '@sveltejs/adapter-node';
import type { Adapter } from '@sveltejs/kit';
import { sveltekit } from '@sveltejs/kit/vite';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { paraglideOptions } from './paraglide.ts';

/**
 * The adapter takes the public origin at build time, or guesses https. A build
 * that runs anywhere reads it from ORIGIN when it starts: without the right
 * origin every form without script would be refused as cross-site.
 */
function adapterWithRuntimeOrigin(): Adapter {
  const out = process.env['WEB_BUILD_FOLDER'] ?? 'build/by-hand';
  const adapter = adapterNode({ out, precompress: true });
  return {
    ...adapter,
    async adapt(builder) {
      await adapter.adapt(builder);
      const file = join(out, 'adapter-node.js');
      const before = readFileSync(file, 'utf8');
      const after = before.replace(
        /^export const origin = undefined;$/m,
        "export const origin = (process.env.ORIGIN ?? 'http://localhost:4000').replace(/\\/$/, '');",
      );
      if (after === before) throw new Error(`${file} no longer declares its origin as expected.`);
      writeFileSync(file, after);
      copyFileSync(new URL('entry.mjs', import.meta.url), join(out, 'index.js'));
    },
  };
}

/**
 * SvelteKit's own live region hides itself with a style attribute. That one text
 * is allowed by its hash, taken from the installed version; no other is.
 */
function announcerStyleHash(): `sha256-${string}` {
  const kit = dirname(createRequire(import.meta.url).resolve('@sveltejs/kit/package.json'));
  const source = readFileSync(join(kit, 'src/runtime/components/root.svelte'), 'utf8');
  const style = /id="svelte-announcer"[\s\S]*?style="([^"]*)"/.exec(source)?.[1];
  if (style === undefined) throw new Error('SvelteKit no longer hides its announcer as expected.');
  return `sha256-${createHash('sha256').update(style).digest('base64')}`;
}

/**
 * What every public page loads anyway, in one chunk, what shows amounts in another,
 * and what takes them in a third: many small ones compress worse, by 6 kB on the home
 * page. A chunk takes along what its modules import, so what others need too is named.
 */
const shell = new RegExp(
  [
    'lib/chrome/(SiteHeader|SiteFooter|ErrorPage)',
    'lib/ui/(Logo|SkipLink|ThemeSwitch|LinkButton|Button|button-style|Spinner|Rosette|Toasts|Icon|Notice|Seo|Field|keep-choice)\\.',
    'lib/format/(duration|intl)\\.',
    'src/browser-locale\\.',
    'lib/paraglide/registry\\.',
    'routes/(\\(site\\)/)?\\+(layout|error)\\.svelte$',
    'messages/(site_nav|site_footer|ui_theme|ui_menu|ui_skip|ui_working|ui_error|ui_request|ui_field)',
    // SvelteKit looks for its two entries as chunks of their own.
    'kit/src/runtime/client/(?!(client-)?entry)',
    'generated/build/client-optimized/app',
    'vite/preload-helper',
  ].join('|'),
);
/** The API's address is read as its chunk comes: in the shell, before SvelteKit has it, no page would come alive. */
const address = /env\/public\//;
/** What forms have in common, and asking the API. */
const forms =
  /lib\/api\/client\.|lib\/account\/(answered|auth-form)\.|lib\/ui\/(TextInput|ErrorNote|too-long)\.|contract\/src\/wire\.|messages\/(ui_failure|ui_email_address|auth_name)/;
const amounts = new RegExp(
  [
    'lib/format/(figure|clock|moment|desk-zone)\\.|lib/browser/(polling|static-html)\\.',
    'lib/ui/(Arrow|CurrencyMark|DateTime|EmptyState|Money|RelativeTime|Tag)\\.',
  ].join('|'),
);
const converter =
  /packages\/money\/|lib\/converter\/|lib\/format\/round-limit\.|lib\/ui\/(AmountInput|Combobox)\.|messages\/site_converter_/;
/** What the forms of signing in and up have alone. */
const signingIn =
  /lib\/account\/(AuthPage|after-sign-in|trouble-words)\.|lib\/ui\/PasswordInput\.|routes\/\(auth\)\/(EmailField|ProviderButtons|taken)\.|messages\/(auth|account_signin|account_forgot)_/;

/** Modules that the browser gets smaller ones for; each says why in its own header. */
const standIns = [
  { module: /\/src\/lib\/paraglide\/runtime\.js$/, by: './src/browser-locale.ts' },
  { module: /\/devalue\/src\/stringify\.js$/, by: './src/history-state.ts' },
  { module: /\/devalue\/src\/parse\.js$/, by: './src/plain-data.ts' },
];

function browserStandIns(): Plugin {
  return {
    name: 'browser-stand-ins',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    load(id) {
      const found = standIns.find(({ module }) => module.test(id));
      return (
        found &&
        `export * from ${JSON.stringify(fileURLToPath(new URL(found.by, import.meta.url)))};`
      );
    },
  };
}

export default defineConfig({
  plugins: [
    browserStandIns(),
    tailwindcss(),
    paraglideVitePlugin(paraglideOptions),
    sveltekit({
      adapter: adapterWithRuntimeOrigin(),
      compilerOptions: { runes: true },
      // The API's origin is only known at run time: hooks.server.ts adds it.
      // Hashes everywhere: with a nonce a page would never be the same twice, and browsers
      // could not be told that the one they have still holds.
      csp: {
        mode: 'hash',
        directives: {
          'default-src': ['none'],
          'script-src': ['self'],
          'style-src': ['self'],
          'style-src-attr': ['unsafe-hashes', announcerStyleHash()],
          'img-src': ['self', 'data:', 'blob:'],
          'font-src': ['self'],
          'connect-src': ['self'],
          'frame-src': ['self'],
          'worker-src': ['self', 'blob:'],
          'manifest-src': ['self'],
          'object-src': ['none'],
          'base-uri': ['none'],
          'frame-ancestors': ['none'],
          'form-action': ['self'],
        },
      },
      // The server finds the route: pages do not carry the list of all of them.
      router: { resolution: 'server' },
      // From the root: what a route needs is fetched after the page's address has changed already.
      paths: { relative: false },
      version: { pollInterval: 0 },
      // For guests hooks.server.ts puts them into the document.
      inlineStyleThreshold: 0,
    }),
  ],
  // The pages need an endpoint's address and types, never its schemas: the API
  // validates. Without this every page would carry the whole schema builder.
  resolve: { alias: { typebox: fileURLToPath(new URL('./src/no-schemas.ts', import.meta.url)) } },
  build: { target: 'baseline-widely-available' },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'shell', test: shell },
                { name: 'address', test: address },
                { name: 'forms', test: forms },
                { name: 'amounts', test: amounts },
                { name: 'converter', test: converter },
                { name: 'signing-in', test: signingIn },
              ],
            },
          },
        },
      },
    },
  },
});
