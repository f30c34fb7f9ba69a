/** The table of contents of an HTML text, with an id for each heading. */
export interface Heading {
  id: string;
  text: string;
}

const heading = /<h2(?<attributes>[^>]*)>(?<inner>[\s\S]*?)<\/h2>/gi;
const headingId = /(<h[2-4][^>]* id=")([^"]+)"/gi;
/** Ids of the pages that show such texts. */
const ofThePage = new Set(['main', 'share', 'related', 'others-title', 'versions-title']);

export function withContents(html: string): { body: string; contents: Heading[] } {
  const contents: Heading[] = [];
  const apart = html.replace(headingId, (whole, before: string, id: string) =>
    ofThePage.has(id) ? `${before}text-${id}"` : whole,
  );
  const idOf = uniqueIds(apart);
  const body = apart.replace(heading, (whole, attributes: string, inner: string) => {
    const text = plainText(inner);
    // A link without text could not be read.
    if (text === '') return whole;
    const given = /\bid="([^"]+)"/.exec(attributes)?.[1];
    const id = given ?? idOf(text);
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

/** Unique ids: none that the page or the text uses. */
function uniqueIds(html: string): (text: string) => string {
  const taken = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  /** The last number for each text, so that a thousand equal headings stay fast. */
  const counted = new Map<string, number>();
  return (text) => {
    const base = `text-${baseOf(text)}`;
    let id = base;
    let count = counted.get(base) ?? 1;
    while (taken.has(id)) id = `${base}-${(count += 1)}`;
    counted.set(base, count);
    taken.add(id);
    return id;
  };
}

function baseOf(text: string): string {
  const words = text.toLowerCase().normalize('NFKD');
  return words.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'section';
}
