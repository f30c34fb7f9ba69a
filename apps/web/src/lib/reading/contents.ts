/** The headings of a text in HTML as its table of contents, each with an id to lead to. */
export interface Heading {
  id: string;
  text: string;
}

const heading = /<h2(?<attributes>[^>]*)>(?<inner>[\s\S]*?)<\/h2>/gi;

export function withContents(html: string): { body: string; contents: Heading[] } {
  const contents: Heading[] = [];
  const body = html.replace(heading, (whole, attributes: string, inner: string) => {
    const text = plainText(inner);
    const given = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const id = given ?? uniqueId(text, contents);
    contents.push({ id, text });
    return given ? whole : `<h2${attributes} id="${id}">${inner}</h2>`;
  });
  return { body, contents };
}

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .trim();
}

function uniqueId(text: string, taken: readonly Heading[]): string {
  const base =
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'section';
  let id = base;
  for (let count = 2; taken.some((other) => other.id === id); count += 1) id = `${base}-${count}`;
  return id;
}
