/**
 * HTML of posts and pages, ready for `{@html}`: cleaned again, with responsive pictures, lists and
 * tables in the direction of their text, and code from left to right.
 */
import { parseMediaPath } from '@cambist/contract/media';
import { cleanHtml } from '@cambist/html/clean';
import { srcsetOf } from '#lib/site/picture-set.ts';

/** The width of a text column, which limits its pictures. */
const columnSizes = '(min-width: 48rem) 44rem, 100vw';

export function shownHtml(html: string): string {
  return directed(cleanHtml(html)).replace(
    /<img src="([^"]+)"([^>]*)>/g,
    (whole, src: string, rest: string) => {
      const srcset = srcsetOf(src);
      if (srcset === null) return whole;
      return `<img src="${src}" srcset="${srcset}" sizes="${columnSizes}" decoding="async"${lazy(sized(src, rest))}>`;
    },
  );
}

function directed(html: string): string {
  return html
    .replace(/<(ul|ol|dl|blockquote|table)(?=[ >])/g, '<$1 dir="auto"')
    .replace(/<(pre|code|kbd)(?=[ >])/g, '<$1 dir="ltr"');
}

/** Without a width `sizes` would enlarge a small picture to the column. */
function sized(src: string, attributes: string): string {
  const width = parseMediaPath(src)?.width;
  return /\bwidth=/.test(attributes) ? attributes : ` width="${width}"${attributes}`;
}

function lazy(attributes: string): string {
  return /\bloading=/.test(attributes) ? attributes : ` loading="lazy"${attributes}`;
}
