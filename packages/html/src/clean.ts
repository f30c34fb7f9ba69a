/**
 * The one allow-list for HTML written by users: posts, legal pages and newsletters. It is applied when
 * the HTML is stored and again when it is shown, so that a narrower list also covers what is stored.
 */
import sanitize from 'sanitize-html';
import { allowedAttributes, attributesOf, removedAttributes } from './attributes.ts';
import { elements, isElement, renamed } from './elements.ts';

/** Elements that are removed together with their text. */
const removedWithText = [
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

/** Pasted block elements. All become `block` first, then paragraphs. */
const block = 'div';
const foreignBlocks = new Set([
  block,
  ...'address article aside center details dialog dir fieldset footer form header hgroup legend main menu nav optgroup search section summary'.split(
    ' ',
  ),
]);

const transform: sanitize.Transformer = (name, attribs) => ({
  tagName: foreignBlocks.has(name) ? block : name,
  attribs: allowedAttributes(name, attribs),
});

const options: sanitize.IOptions = {
  allowedTags: [...elements, block],
  allowedAttributes: { ...attributesOf },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: removedWithText,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  nestingLimit: 30,
  transformTags: {
    '*': transform,
    ...renamed,
  },
  exclusiveFilter: ({ tag, attribs, text, mediaChildren }) =>
    (tag === 'img' && attribs['src'] === undefined) ||
    // A screen reader would announce a heading without words.
    (/^h[2-4]$/.test(tag) && text.trim() === '' && mediaChildren.length === 0),
};

/** An article takes one; input built to mislead parsers takes more. */
const maxPasses = 8;

/**
 * Returns the allowed part of the HTML. Idempotent: the result is parsed again until nothing changes;
 * input that never settles is reduced to its text. Source of the list: what an article needs, less
 * what OWASP's Cross Site Scripting Prevention Cheat Sheet warns of.
 */
export function cleanHtml(html: string): string {
  return stableHtml(html, options);
}

/** As `cleanHtml`, and names what was removed: `<script>`, `onclick of <p>`. Renamed elements are not listed. */
export function cleanedHtml(html: string): { html: string; removed: string[] } {
  const removed = new Set<string>();
  if (/<!--/.test(html)) removed.add('<!-- -->');
  const transformTags: sanitize.IOptions['transformTags'] = {
    ...options.transformTags,
    '*': (tagName, attribs) => {
      if (!isElement(tagName)) removed.add(`<${tagName.slice(0, maxName)}>`);
      else
        for (const name of removedAttributes(tagName, attribs))
          removed.add(`${name.slice(0, maxName)} of <${tagName}>`);
      return transform(tagName, attribs);
    },
  };
  const clean = stableHtml(html, { ...options, transformTags });
  return { html: clean, removed: [...removed].slice(0, maxNames) };
}

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

/** A block without a block inside. */
const innermost =
  /<div>((?:(?!<\/?(?:div|p|h[2-4]|ul|ol|dl|li|table|blockquote|pre|figure)\b)[\s\S])*)<\/div>/g;

/** Innermost blocks become paragraphs; the others become line breaks. */
function withParagraphs(html: string): string {
  return html
    .replace(innermost, (_block, inner: string) => (inner.trim() === '' ? '\n' : `<p>${inner}</p>`))
    .replace(/<\/?div>/g, '\n');
}
