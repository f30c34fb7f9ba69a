/** In which direction the lists, quotes and code of a text are written, one by one. Pure. */
import { rewriteTags } from '@cambist/markup/directions';

/** The style sheet lets paragraphs, headings, items and cells begin where their own words do. */
const turned = new Set(['ul', 'ol', 'dl', 'blockquote', 'table', 'pre', 'code', 'kbd']);

/**
 * The marks of a list or a quote, and the columns of a table, stand where its own words begin.
 * Without a letter it says nothing, and is turned as what it stands in, up to the page itself.
 * `html` is what the cleaner has written.
 */
export function withDirections(html: string): string {
  return rewriteTags(html, ({ tag, name, attributes, own }) =>
    own !== undefined && turned.has(name) ? `<${name} dir="${own}"${attributes}>` : tag,
  );
}
