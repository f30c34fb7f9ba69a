/**
 * The one allow-list for HTML that people write: posts, legal pages, letters of
 * the newsletter. Used when it is stored and again when it is shown, so that what
 * slipped in by another way, or before the list was narrowed, stays outside.
 * `style`, `form`, `iframe`, `svg`, `math` and anything that runs have no place.
 */
import sanitize from 'sanitize-html';
import { attributesOf, fitting, leftOut } from './attributes.ts';
import { elements, isElement, renamed } from './elements.ts';

/** Elements that are removed with their text, which is no text of the page. */
const droppedWhole = [
  'script',
  'style',
  'template',
  'textarea',
  'select',
  'option',
  'button',
  'title',
  'noscript',
  'xmp',
  'plaintext',
  'listing',
  'iframe',
  'frame',
  'frameset',
  'noembed',
  'noframes',
  'object',
  'embed',
  'applet',
  'svg',
  'math',
  'audio',
  'video',
  'canvas',
];

/** What other pages have their text in; all are called `block` until they are paragraphs. */
const block = 'div';
const foreignBlocks = new Set([
  block,
  ...'address article aside center details dialog dir fieldset footer form header hgroup legend main menu nav optgroup search section summary'.split(
    ' ',
  ),
]);

const inPlaceOf: sanitize.Transformer = (name, attribs) => ({
  tagName: foreignBlocks.has(name) ? block : name,
  attribs: fitting(name, attribs),
});

const options: sanitize.IOptions = {
  allowedTags: [...elements, block],
  allowedAttributes: { ...attributesOf },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: droppedWhole,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  nestingLimit: 30,
  transformTags: {
    '*': inPlaceOf,
    ...renamed,
  },
  exclusiveFilter: ({ tag, attribs, text, mediaChildren }) =>
    (tag === 'img' && attribs['src'] === undefined) ||
    // A screen reader would announce a heading without words.
    (/^h[2-4]$/.test(tag) && text.trim() === '' && mediaChildren.length === 0),
};

/** Enough for input built to mislead parsers; an article takes one. */
const maxPasses = 8;

/**
 * The HTML as far as it is allowed. Cleaning clean HTML changes nothing: the
 * parser mends wrong nesting, and the result is parsed again until nothing
 * changes; input that never stops changing is reduced to its text.
 * Source of the list: what an article needs, less what OWASP's cheat sheet on
 * cross-site scripting warns of.
 */
export function cleanHtml(html: string): string {
  return stableHtml(html, options);
}

/**
 * The same, with the names of what was removed: `<script>`, `onclick of <p>`. An element that is
 * renamed, as `b` is to `strong`, is not among them.
 */
export function cleanedHtml(html: string): { html: string; removed: string[] } {
  const removed = new Set<string>();
  if (/<!--/.test(html)) removed.add('<!-- -->');
  const transformTags: sanitize.IOptions['transformTags'] = {
    ...options.transformTags,
    '*': (tagName, attribs) => {
      if (!isElement(tagName)) removed.add(`<${tagName.slice(0, maxName)}>`);
      else
        for (const name of leftOut(tagName, attribs))
          removed.add(`${name.slice(0, maxName)} of <${tagName}>`);
      return inPlaceOf(tagName, attribs);
    },
  };
  const clean = stableHtml(html, { ...options, transformTags });
  return { html: clean, removed: [...removed].slice(0, maxNames) };
}

/** A whole page that was pasted names enough to understand what was removed. */
const maxNames = 40;
const maxName = 40;

function stableHtml(html: string, rules: sanitize.IOptions): string {
  let before = html;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const after = withParagraphs(sanitize(before, rules));
    if (after === before) return after;
    before = after;
  }
  return sanitize(before, { allowedTags: [], allowedAttributes: {} });
}

/** A block that holds no other. */
const innermost =
  /<div>((?:(?!<\/?(?:div|p|h[2-4]|ul|ol|dl|li|table|blockquote|pre|figure)\b)[\s\S])*)<\/div>/g;

/** The words of such a block are a paragraph; others leave their words in lines of their own. */
function withParagraphs(html: string): string {
  return html
    .replace(innermost, (_block, inner: string) => (inner.trim() === '' ? '\n' : `<p>${inner}</p>`))
    .replace(/<\/?div>/g, '\n');
}
