/** A page of this site's own making in another dress, to be looked at only. Pure. */
import { customStyleId } from '#lib/site/custom-css-pages.ts';
import { dressOf, withHead } from './page-head.ts';

// What this server wrote into the page itself: neither element can hold its own end.
const style = new RegExp(`<style id="${customStyleId}">[^]*?</style>`, 'g');
const acting = /<script\b[^]*?<\/script>|<noscript\b[^]*?<\/noscript>/g;
const preloads = /<link\b[^>]*\brel="modulepreload"[^>]*>/g;

/** Without the style sheet that is saved, and without all that acts or stands in for it. */
export function undressed(html: string): string {
  return html.replace(style, '').replace(acting, '').replace(preloads, '');
}

interface Page {
  /** Where it stands on the site: what it names without a path is beside it. */
  readonly path: string;
  readonly html: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

/** In the style sheet `css`. Whatever would run in it all the same is stopped; links open beside it. */
export function withDraftOf(css: string, { path, html, policy }: Page): Omit<Page, 'path'> {
  const dress = dressOf(css);
  const allowed = dress ? policy.replace(/\bstyle-src [^;]*/, `$& ${dress.hash}`) : policy;
  return {
    // Before all that has an address.
    html: withHead(html, dress?.element ?? '').replace(
      '<head>',
      `$&<base href="${encodeURI(path)}" target="_blank">`,
    ),
    policy: `${allowed.replace("base-uri 'none'", "base-uri 'self'")}; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`,
  };
}
