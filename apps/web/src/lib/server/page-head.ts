/**
 * What the server adds to the head of a page: the custom CSS, the company as JSON-LD, and
 * `noindex`.
 */
import { createHash } from 'node:crypto';
import { safeCss } from '@cambist/html/css';
import { customStyleId } from '#lib/site/custom-css-pages.ts';
import { jsonForScript } from '#lib/site/seo.ts';
import { siteJsonLd } from './site-json-ld.ts';
import type { SiteSettings } from './site-settings.ts';

interface CustomStyle {
  readonly element: string;
  /** For the policy. A nonce would make every page different and uncacheable. */
  readonly hash: string;
}

let last: { readonly css: string; readonly style: CustomStyle } | null = null;

/** Null without a style sheet. Keeps the last result. */
export function customStyleOf(css: string): CustomStyle | null {
  if (css.trim() === '') return null;
  if (last?.css === css) return last.style;
  const safe = safeCss(css);
  const hash = `'sha256-${createHash('sha256').update(safe).digest('base64')}'`;
  const style = { element: `<style id="${customStyleId}">${safe}</style>`, hash };
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
