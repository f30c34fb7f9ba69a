/**
 * The content of a campaign as an email: mailboxes know no style sheet of ours, no
 * address without its origin and no WebP, so the clean HTML is written anew with
 * styles at its elements, whole addresses, and pictures that every mailbox shows.
 */
import { mediaPath, parseMediaPath } from '@cambist/contract/media';
import { cleanHtml } from '@cambist/html/clean';
import { textWithAddresses } from '@cambist/html/text';
import { fallbackOf } from '#features/content/media/media.ts';
import type { Db } from '#platform/db/database.ts';

const INK = 'color:#12211b';
const RULE = '#e2ded3';

/** Source: what mailboxes keep (caniemail.com): no classes, no sheet, margins on blocks. */
const styles: Readonly<Record<string, string>> = {
  h2: `margin:24px 0 12px;font-size:19px;line-height:1.35;font-weight:600;${INK}`,
  h3: `margin:20px 0 10px;font-size:17px;line-height:1.4;font-weight:600;${INK}`,
  h4: `margin:18px 0 8px;font-size:16px;line-height:1.4;font-weight:600;${INK}`,
  p: `margin:0 0 16px;font-size:16px;line-height:1.55;${INK}`,
  ul: `margin:0 0 16px;padding:0 22px;font-size:16px;line-height:1.55;${INK}`,
  ol: `margin:0 0 16px;padding:0 24px;font-size:16px;line-height:1.55;${INK}`,
  li: 'margin:0 0 6px',
  blockquote: `margin:0 0 16px;padding:0 16px;border-left:3px solid ${RULE}`,
  pre: 'margin:0 0 16px;padding:12px;font-size:14px;line-height:1.5;white-space:pre-wrap;border:1px solid #e2ded3;border-radius:8px',
  hr: `margin:24px 0;border:0;border-top:1px solid ${RULE}`,
  figure: 'margin:0 0 16px',
  figcaption: 'margin:6px 0 0;font-size:13px;line-height:1.5',
  table: `margin:0 0 16px;width:100%;border-collapse:collapse;font-size:15px;line-height:1.5;${INK}`,
  th: `padding:8px;text-align:start;vertical-align:top;font-weight:600;border:1px solid ${RULE}`,
  td: `padding:8px;text-align:start;vertical-align:top;border:1px solid ${RULE}`,
  img: 'display:block;max-width:100%;height:auto;border:0',
};
/** What the template's sheet turns over where the mailbox is dark. */
const themed = new Set(['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'table']);
const ruled = new Set(['th', 'td', 'hr', 'blockquote', 'pre']);
/** Each in the direction of its own text. */
const directed = new Set('p h2 h3 h4 ul ol blockquote table figcaption'.split(' '));
const codes = new Set(['pre', 'code', 'kbd']);
/** Of a picture, in pixels: twice the email's width, for dense screens. */
const WIDEST = 1280;
/** The email's width without its padding. */
const COLUMN = 510;

/** As HTML with whole addresses, and as text. */
export async function emailBody(
  db: Db,
  frontendUrl: string,
  stored: string,
): Promise<{ html: string; text: string }> {
  const html = cleanHtml(stored);
  const pictures = await fallbacks(db, html);
  const whole = html.replace(
    /(<(?:a|img)\b[^>]*?\b(?:href|src)=")(\/[^"]*)"/g,
    (_match, before: string, path: string) =>
      `${before}${frontendUrl.replace(/\/$/, '')}${pictures.get(path) ?? path}"`,
  );
  const text = textWithAddresses(whole.replace(/<li>\s*(?:<p>)?/g, '<li>- '));
  return { html: styled(unwrapped(whole)), text };
}

/** By the path that is stored: JPEG or PNG. */
async function fallbacks(db: Db, html: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [, path = ''] of html.matchAll(/<img\b[^>]*?\bsrc="(\/media\/[^"]+)"/g)) {
    const named = parseMediaPath(path);
    if (named === null) continue;
    // A picture has this width wherever its own is greater.
    const fitting = named.width > WIDEST ? mediaPath({ ...named, width: WIDEST }) : path;
    const fallback = await fallbackOf(db, fitting);
    if (fallback !== null) found.set(path, fallback);
  }
  return found;
}

/** Editors put a paragraph into every item and cell; alone it only adds space. */
function unwrapped(html: string): string {
  return html.replace(
    /(<(?:li|td|th)\b[^<>]*>)\s*<p>((?:(?!<\/?(?:p|li|td|th)\b)[\s\S])*)<\/p>\s*(?=<\/(?:li|td|th)>|<[uo]l\b)/g,
    '$1$2',
  );
}

function styled(html: string): string {
  return html.replace(/<([a-z][a-z0-9]*)([^<>]*)>/g, (tag, name: string, attributes: string) => {
    const dir = directed.has(name) ? ' dir="auto"' : codes.has(name) ? ' dir="ltr"' : '';
    const style = styles[name];
    if (style === undefined) return dir ? `<${name}${dir}${attributes}>` : tag;
    const theme = themed.has(name) ? ' class="ink"' : ruled.has(name) ? ' class="rule"' : '';
    // The slash at the end of a picture or a rule would stand before the style.
    const given = attributes.replace(/ \/$/, '');
    const rest = name === 'img' ? sized(given) : given;
    return `<${name}${theme}${dir}${rest} style="${style}">`;
  });
}

/** Some mailboxes know no `max-width`, only the attribute. */
function sized(attributes: string): string {
  return attributes
    .replace(/\s(?:loading|height)="[^"]*"/g, '')
    .replace(
      /(\swidth=")(\d+)"/,
      (_match, name: string, width: string) => `${name}${Math.min(Number(width), COLUMN)}"`,
    );
}
