/**
 * The one allow-list for HTML that people write: posts, legal pages, letters of
 * the newsletter. Used when it is stored and again when it is shown, so that what
 * slipped in by another way, or before the list was narrowed, stays outside.
 * `style`, `form`, `iframe`, `svg`, `math` and anything that runs have no place.
 */
import sanitize from 'sanitize-html';
import { attributesOf, fitting, leftOut } from './attributes.ts';
import { block, foreignBlocks } from './blocks.ts';
import { elements, isElement, renamed } from './elements.ts';
import { unescaped } from './entities.ts';
import { inPlace } from './structure.ts';

/** Elements whose text is no text of the page: they go with all that is in them. */
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
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
};

/** Enough for what is put together to mislead parsers; an article takes one. */
const maxPasses = 8;

/**
 * The HTML as far as it is allowed. Cleaning what is clean changes nothing: the
 * parser mends what is nested wrongly, and what it mended is read again until
 * there is nothing left to mend; what never comes to rest is kept as text alone.
 * Source of the list: what an article needs, less what OWASP's cheat sheet on
 * cross-site scripting warns of.
 */
export function cleanHtml(html: string): string {
  return restingHtml(html, options);
}

/**
 * The same, and by name what had no place: `<script>`, `onclick of <p>`. An element that is
 * kept under another name, as `b` is under `strong`, is none of it.
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
  const clean = restingHtml(html, { ...options, transformTags });
  return { html: clean, removed: [...removed].slice(0, maxNames) };
}

/** Whoever pastes a whole page should read what went, not all of it. */
const maxNames = 40;
const maxName = 40;

function restingHtml(html: string, rules: sanitize.IOptions): string {
  let before = html;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const after = inPlace(sanitize(before, rules));
    if (after === before) return after;
    before = after;
  }
  return sanitize(before, { allowedTags: [], allowedAttributes: {} });
}

/** The text alone, for excerpts, searching and mails: blocks become lines, cells and runs of space one space. */
export function textOf(html: string): string {
  const lines = html
    .replace(
      /<\/?(br|hr|p|h[2-4]|[uod]l|li|dt|dd|table|tr|caption|blockquote|pre|figure|figcaption)\b[^>]*>/gi,
      '$&\n',
    )
    .replace(/<\/?t[hd]\b[^>]*>/gi, '$& ');
  return unescaped(
    sanitize(lines, { allowedTags: [], allowedAttributes: {}, nonTextTags: droppedWhole }),
  )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();
}
