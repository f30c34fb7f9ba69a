/** Between the HTML of the editor and the stored HTML. Pure. */

/**
 * The editor puts a paragraph into every item and cell, and an empty one at the end
 * to go on in. Stored is the plainer HTML that a person would have written.
 */
export function storedHtml(html: string): string {
  return html
    .replace(/(<p><\/p>)+$/, '')
    .replace(/<figcaption><\/figcaption>/g, '')
    .replace(
      /<(li|td|th|dd)\b([^>]*)><p>((?:(?!<p[ >]|<\/p>)[\s\S])*)<\/p><\/\1>/g,
      '<$1$2>$3</$1>',
    );
}

const beyond = ['caption', 'tfoot'] as const;
export type Beyond = (typeof beyond)[number] | 'figure';

/** The figure that the editor has a place for: one picture, and words beneath it. */
const pictureWithWords =
  /^\s*<img\b[^>]*>\s*(<figcaption\b[^>]*>(?:(?!<(p|ul|ol|dl|h[2-4]|table|pre|blockquote|img)\b)[\s\S])*<\/figcaption>)?\s*$/i;

/** Elements that are allowed in a text but that the editor cannot show; the API names others when it saves. */
export function beyondEditor(html: string): Beyond[] {
  const figures = [...html.matchAll(/<figure\b[^>]*>([\s\S]*?)<\/figure>/gi)];
  const odd = figures.some(([, inner = '']) => !pictureWithWords.test(inner));
  const named = beyond.filter((name) => new RegExp(`<${name}[\\s>]`, 'i').test(html));
  return odd ? ['figure', ...named] : named;
}

/** The headings of what is pasted, in the levels that a text has under its title. */
export function fittingHeadings(html: string): string {
  return html.replace(/(<\/?)h1\b/gi, '$1h2').replace(/(<\/?)h[56]\b/gi, '$1h4');
}

/**
 * Without style sheets, base addresses and event handlers, and with styles under a name that means
 * nothing. The editor reads HTML where nothing runs, but browsers tell the page's
 * policy of these even there, and a report should mean something.
 */
export function quietHtml(html: string): string {
  // A blank, lest what stood around it become one.
  const unstyled = html.replace(/<style\b[\s\S]*?(<\/style\b[^>]*(?:>|$)|$)/gi, ' ');
  // Of a tag without its end each would be looked through to the end of the text.
  const end = unstyled.lastIndexOf('>') + 1;
  return (
    unstyled
      .slice(0, end)
      .replace(/<base\b[^>]*>/gi, ' ')
      .replace(/<[a-z][^>]*>/gi, (tag) =>
        tag
          .replace(/[\s/]on\w+\s*=\s*("[^"]*"|'[^']*'|[^\s>]*)/gi, ' ')
          .replace(/[\s/]style\s*=/gi, ' data-look='),
      ) + unstyled.slice(end)
  );
}

/** An address as a person types it: without its scheme it is a web address, with an @ one of mail. */
export function typedAddress(typed: string): string {
  const text = typed.trim();
  if (/^[^\s/@:]+@[^\s/@]+\.[^\s/@]+$/.test(text)) return `mailto:${text}`;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+([/?#]|$)/i.test(text) ? `https://${text}` : text;
}
