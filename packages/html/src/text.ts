/** The text of cleaned HTML. Pure, and light enough for a browser. */

const blockTag =
  /<\/?(br|hr|p|h[2-4]|[uod]l|li|dt|dd|table|tr|caption|blockquote|pre|figure|figcaption)\b[^>]*>/g;

/** For excerpts, searching and emails: blocks become lines, cells and runs of white space one space. */
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

/** The same with the addresses of links and pictures, whose changes people should see too. */
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

/** The cleaner writes these few characters by their names, and editors a no-break space. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', '\u{A0}')
    .replaceAll('&amp;', '&');
}
