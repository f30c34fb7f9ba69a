/**
 * What the server adds to the head of a page, for which the browser needs no
 * script: the desk's own style sheet, who runs the site as JSON-LD, the page in
 * other languages, and whether it may be found.
 */
import { createHash } from 'node:crypto';
import { safeCss } from '@cambist/html/css';
import { customStyleId } from '#lib/site/custom-css-pages.ts';
import { jsonForScript } from '#lib/site/seo.ts';
import { siteJsonLd } from './site-json-ld.ts';
import type { SiteSettings } from './site-settings.ts';
import type { Alternate } from './site-map.ts';

interface Dress {
  readonly element: string;
  /** What the policy allows it by; a nonce would make every page another one. */
  readonly hash: string;
}

let last: { readonly css: string; readonly dress: Dress } | null = null;

/** Null where there is no style sheet. What is made of one is kept until there is another. */
export function dressOf(css: string): Dress | null {
  if (css.trim() === '') return null;
  if (last?.css === css) return last.dress;
  const safe = safeCss(css);
  const hash = `'sha256-${createHash('sha256').update(safe).digest('base64')}'`;
  const dress = { element: `<style id="${customStyleId}">${safe}</style>`, hash };
  last = { css, dress };
  return dress;
}

export interface HeadOf {
  readonly origin: string;
  readonly site: SiteSettings;
  readonly language: string;
  readonly alternates: readonly Alternate[];
}

/** For pages that everybody may read and search engines find. */
export function publicHead({ origin, site, language, alternates }: HeadOf): string {
  const json = jsonForScript(siteJsonLd(origin, site, language));
  const links = alternates.map(
    (other) =>
      `<link rel="alternate" hreflang="${other.language}" href="${encodeURI(new URL(other.path, origin).href)}">`,
  );
  return [...links, `<script type="application/ld+json">${json}</script>`].join('');
}

/** Before the first end of the head, which nothing written into it can be. */
export function withHead(html: string, added: string): string {
  return added === '' ? html : html.replace('</head>', () => `${added}</head>`);
}
