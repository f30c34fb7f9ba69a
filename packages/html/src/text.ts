/** The text of cleaned HTML. */

const blockTag =
  /<\/?(br|hr|p|h[2-4]|[uod]l|li|dt|dd|table|tr|caption|blockquote|pre|figure|figcaption)\b[^>]*>/g;

/** For excerpts, search and emails: a line for each block, one space between cells. */
export function textOf(html: string): string {
  const text = html
    .replace(blockTag, '\n')
    .replace(/<\/?t[hd]\b[^>]*>/g, ' ')
    .replace(/<[^>]*>/g, '');
  return unescaped(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .trim();
}

/** As `textOf`, with the URLs of links and pictures, for diffs. */
export function textWithAddresses(html: string): string {
  return textOf(
    html
      .replace(/<a [^>]*>.*?(?=<\/a>)/gs, (link) => `${link} (${attribute(link, 'href')})`)
      .replace(
        /<img [^>]*>/g,
        (img) => `\n[${attribute(img, 'alt')}] (${attribute(img, 'src')})\n`,
      ),
  );
}

function attribute(element: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(element)?.[1] ?? '';
}

/** The only entities that the cleaner and the editor write. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u{A0}')
    .replaceAll('&amp;', '&');
}
