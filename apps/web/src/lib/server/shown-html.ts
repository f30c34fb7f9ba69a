/**
 * HTML that people wrote, as a page shows it: cleaned once more, whatever way it
 * came, with pictures of the library in the width that the reader's screen needs,
 * lists and tables in the direction of their text, and code from left to right.
 * A page shows it with `{@html}`.
 */
import { isAnimatedPath, parseMediaPath } from '@cambist/contract/media';
import { cleanHtml } from '@cambist/html/clean';
import { srcsetOf } from '#lib/site/picture-set.ts';

/** The width of a column of text, beyond which no picture in it grows. */
const columnSizes = '(min-width: 48rem) 44rem, 100vw';

export function shownHtml(html: string): string {
  return directed(cleanHtml(html)).replace(
    /<img src="([^"]+)"([^>]*)>/g,
    (whole, src: string, rest: string) => {
      const srcset = srcsetOf(src);
      if (srcset === null) return whole;
      const img = `<img src="${src}" srcset="${srcset}" sizes="${columnSizes}" decoding="async"${lazy(sized(src, rest))}>`;
      return isAnimatedPath(src) ? withStill(img, src) : img;
    },
  );
}

function directed(html: string): string {
  return html
    .replace(/<(ul|ol|dl|blockquote|table)(?=[ >])/g, '<$1 dir="auto"')
    .replace(/<(pre|code|kbd)(?=[ >])/g, '<$1 dir="ltr"');
}

/** Whoever asked for less motion sees the first picture of an animation. */
function withStill(img: string, src: string): string {
  const srcset = srcsetOf(src, 'avif');
  return `<picture><source media="(prefers-reduced-motion: reduce)" type="image/avif" srcset="${srcset}" sizes="${columnSizes}">${img}</picture>`;
}

/** Without a width `sizes` would blow a small picture up to the column; its path names its own. */
function sized(src: string, attributes: string): string {
  const width = parseMediaPath(src)?.width;
  return /\bwidth=/.test(attributes) ? attributes : ` width="${width}"${attributes}`;
}

function lazy(attributes: string): string {
  return /\bloading=/.test(attributes) ? attributes : ` loading="lazy"${attributes}`;
}
