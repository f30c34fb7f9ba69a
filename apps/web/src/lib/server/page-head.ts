/**
 * What the server changes in the head of a page: the custom CSS, the company as JSON-LD, `noindex`, and for guests
 * the style sheets in the document.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { safeCss } from '@cambist/html/css';
import { customStyleId } from '#lib/site/custom-css-pages.ts';
import { jsonForScript } from '#lib/site/seo.ts';
import { siteJsonLd } from './site-json-ld.ts';
import type { SiteSettings } from './site-settings.ts';

interface Style {
  readonly element: string;
  /** For the policy. A nonce would make every page different and uncacheable. */
  readonly hash: string;
}

let last: { readonly css: string; readonly style: Style } | null = null;

/** Null without a style sheet. Keeps the last result. */
export function customStyleOf(css: string): Style | null {
  if (css.trim() === '') return null;
  if (last?.css === css) return last.style;
  const safe = safeCss(css);
  const style = { element: `<style id="${customStyleId}">${safe}</style>`, hash: hashOf(safe) };
  last = { css, style };
  return style;
}

export interface HeadOf {
  readonly origin: string;
  readonly site: SiteSettings;
  readonly language: string;
}

/** For pages that search engines may list. */
export function publicHead({ origin, site, language }: HeadOf): string {
  const json = jsonForScript(siteJsonLd(origin, site, language));
  return `<script type="application/ld+json">${json}</script>`;
}

/** Before the first `</head>`, which no added text can contain. */
export function withHead(html: string, added: string): string {
  return added === '' ? html : html.replace('</head>', () => `${added}</head>`);
}

function hashOf(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}

/** As SvelteKit writes them. */
const STYLE_SHEET = /<link href="\/(_app\/[^"]+\.css)" rel="stylesheet">/g;
/** Routes have few combinations of style sheets. */
const inlined = new LRUCache<string, Style>({ max: 100 });

/**
 * The page with its style sheets in the document, for a first visit: as files they share a slow line with fonts and
 * scripts, and the first paint waits for them. Who is signed in has the files already. `read` gives a sheet's text.
 */
export function withInlineStyles(
  html: string,
  read: (path: string) => string = readClientFile,
): { html: string; hash: string | null } {
  const paths = [...html.matchAll(STYLE_SHEET)].map(([, path = '']) => path);
  if (paths.length === 0) return { html, hash: null };
  const key = paths.join(' ');
  let style = inlined.get(key);
  if (style === undefined) {
    const css = paths.map(read).join('\n');
    style = { element: `<style>${css}</style>`, hash: hashOf(css) };
    inlined.set(key, style);
  }
  const { element, hash } = style;
  let isFirst = true;
  const page = html.replace(STYLE_SHEET, (_link, path: string) => {
    // So that the browser's script finds it and does not add it.
    const link = `<link href="/${path}" rel="stylesheet" disabled media="(max-width: 0)">`;
    const added = isFirst ? element + link : link;
    isFirst = false;
    return added;
  });
  return { html: page, hash };
}

function readClientFile(path: string): string {
  return readFileSync(new URL(path, globalThis.clientFiles), 'utf8');
}
