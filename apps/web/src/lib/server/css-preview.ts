/** A page of this site with a draft of the custom CSS, for the preview. Pure. */
import { customStyleId } from '#lib/site/custom-css-pages.ts';
import { customStyleOf, withHead } from './page-head.ts';

// This server wrote these elements, and neither can contain its own end tag.
const style = new RegExp(`<style id="${customStyleId}">[^]*?</style>`, 'g');
const acting = /<script\b[^]*?<\/script>|<noscript\b[^]*?<\/noscript>/g;
const preloads = /<link\b[^>]*\brel="modulepreload"[^>]*>/g;

/** Removes the saved style sheet, scripts and what replaces them. */
export function withoutStyleAndScript(html: string): string {
  return html.replace(style, '').replace(acting, '').replace(preloads, '');
}

interface Page {
  /** Its path on the site, for relative addresses. */
  readonly path: string;
  readonly html: string;
  readonly policy: string;
}

/** Adds the style sheet `css`, and sandboxes the page. Links open in a new tab. */
export function withDraftOf(css: string, { path, html, policy }: Page): Omit<Page, 'path'> {
  const draft = customStyleOf(css);
  const allowed = draft ? policy.replace(/\bstyle-src [^;]*/, `$& ${draft.hash}`) : policy;
  return {
    // Before every element with an address.
    html: withHead(html, draft?.element ?? '').replace(
      '<head>',
      `$&<base href="${encodeURI(path)}" target="_blank">`,
    ),
    policy: `${allowed.replace("base-uri 'none'", "base-uri 'self'")}; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox`,
  };
}
