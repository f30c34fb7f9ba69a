/**
 * What an author adds to the head of a post: structured data, and scripts where the
 * operator has them run. What a browser would read as another end of a script, or
 * as no end at all, is refused, so that what is judged is what runs.
 */
import { MarkupFault, readJsonLd, writeJsonLd } from './json-ld.ts';

export interface HeadScripts {
  readonly structured: readonly object[];
  /** JavaScript, each the text of one element. */
  readonly scripts: readonly string[];
}

const element = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const plain = /^\s*(?:type\s*=\s*(["']?)text\/javascript\1\s*)?$/i;
// HTML 13.2.5.15 to 13.2.5.31: an end tag ends it, a comment with a start tag in it hides the end.
const ambiguous = /<\/?script|<!--/i;

/**
 * Takes what `readJsonLd` takes, and beside it `<script>` elements with nothing but their text.
 * @throws {MarkupFault} for scripts from elsewhere, other markup, and structured data that is none.
 */
export function readHeadScripts(source: string): HeadScripts {
  const pasted = source.trim();
  if (!pasted.startsWith('<')) return { structured: readJsonLd(pasted), scripts: [] };
  if (pasted.replace(element, '').trim() !== '') {
    throw new MarkupFault('Only <script> elements may stand here, each with its end.');
  }
  const structured: object[] = [];
  const scripts: string[] = [];
  for (const [whole, attributes = '', text = ''] of pasted.matchAll(element)) {
    if (/ld\+json/i.test(attributes)) structured.push(...readJsonLd(whole));
    else if (plain.test(attributes)) scripts.push(textOf(text));
    else {
      throw new MarkupFault(
        'A script here stands in the page itself: it has no src and no other attribute. Structured data has the type application/ld+json.',
      );
    }
  }
  return { structured, scripts: scripts.filter((text) => text.trim() !== '') };
}

/** As it is kept; `readHeadScripts` reads it back. */
export function writeHeadScripts({ structured, scripts }: HeadScripts): string {
  const json = structured.length === 0 ? '' : writeJsonLd(structured);
  if (scripts.length === 0) return json;
  const elements = scripts.map((text) => `<script>${text}</script>`);
  if (json !== '') elements.unshift(`<script type="application/ld+json">${json}</script>`);
  return elements.join('\n');
}

/** Whether it stays, to the letter, in the element that it is written into. */
export function staysInside(script: string): boolean {
  return !ambiguous.test(script) && !/[\0\r]/.test(script) && script.isWellFormed();
}

/** With the ends of lines that a browser makes of all of them, since its hash is of that text. */
function textOf(script: string): string {
  const text = script.replace(/\r\n?/g, '\n').toWellFormed();
  if (staysInside(text)) return text;
  throw new MarkupFault(
    'The text of a script may hold neither <script, </script nor <!--: write them apart, as "<" + "script".',
  );
}
