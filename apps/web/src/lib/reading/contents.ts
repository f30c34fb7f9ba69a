/** The headings of a text in HTML as its table of contents, each with an id to lead to. */
export interface Heading {
  id: string;
  text: string;
}

const heading = /<h2(?<attributes>[^>]*)>(?<inner>[\s\S]*?)<\/h2>/gi;

export function withContents(html: string): { body: string; contents: Heading[] } {
  const contents: Heading[] = [];
  const idOf = uniqueIds();
  const body = html.replace(heading, (whole, attributes: string, inner: string) => {
    const text = plainText(inner);
    const given = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const id = idOf(text, given);
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

/** Gives each heading an id of its own; one that it has already stays. */
function uniqueIds(): (text: string, given: string | undefined) => string {
  const taken = new Set<string>();
  /** How far equal headings were counted, so that a thousand of them are not counted anew each time. */
  const counted = new Map<string, number>();
  return (text, given) => {
    const base = given ?? baseOf(text);
    let id = base;
    let count = counted.get(base) ?? 1;
    while (given === undefined && taken.has(id)) id = `${base}-${(count += 1)}`;
    counted.set(base, count);
    taken.add(id);
    return id;
  };
}

function baseOf(text: string): string {
  const words = text.toLowerCase().normalize('NFKD');
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'section';
}
