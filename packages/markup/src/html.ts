/**
 * The one allow-list for HTML that people write: posts, legal pages, letters of
 * the newsletter. Used when it is stored and again when it is shown, so that what
 * slipped in by another way, or before the list was narrowed, stays outside.
 * `style`, `form`, `iframe`, `svg`, `math` and anything that runs have no place.
 */
import sanitize from 'sanitize-html';
import { elements, headings, isElement, renamed } from './elements.ts';
import { idPattern, picturePath, writtenHref } from './places.ts';
import { inPlace } from './structure.ts';

const languageClass = /^language-[a-z0-9+#-]{1,30}$/;

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

const options: sanitize.IOptions = {
  allowedTags: [...elements],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
    code: ['class'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ...Object.fromEntries(headings.map((heading) => [heading, ['id']])),
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  nonTextTags: droppedWhole,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  nestingLimit: 30,
  transformTags: {
    '*': (tagName, attribs) => ({ tagName, attribs: fitting(tagName, attribs) }),
    ...renamed,
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && attribs['src'] === undefined,
};

const whole = (limit: number) => (value: string) =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= limit;

const fits: Readonly<Record<string, (value: string) => boolean>> = {
  href: (value) => writtenHref(value) !== null,
  src: (value) => picturePath.test(value),
  id: (value) => idPattern.test(value),
  class: (value) => languageClass.test(value),
  scope: (value) => value === 'col' || value === 'row',
  width: whole(10_000),
  height: whole(10_000),
  colspan: whole(20),
  rowspan: whole(200),
  start: whole(10_000),
  loading: (value) => value === 'lazy',
};

/** The attributes whose values are what they should be; a link to elsewhere hands over no window. */
function fitting(tag: string, given: sanitize.Attributes): sanitize.Attributes {
  const kept = Object.entries(given).filter(
    ([name, value]) => fits[name]?.(value) ?? name === 'alt',
  );
  const attributes: sanitize.Attributes = Object.fromEntries(kept);
  const href = writtenHref(attributes['href'] ?? '');
  if (href !== null) attributes['href'] = href;
  if (tag === 'img') attributes['alt'] ??= '';
  if (tag === 'a' && /^https?:/i.test(href ?? '')) attributes['rel'] = 'noopener';
  return attributes;
}

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
      const kept = fitting(tagName, attribs);
      if (!isElement(tagName)) removed.add(`<${tagName.slice(0, maxName)}>`);
      else for (const name of lost(tagName, attribs, kept)) removed.add(`${name} of <${tagName}>`);
      return { tagName, attribs: kept };
    },
  };
  const clean = restingHtml(html, { ...options, transformTags });
  return { html: clean, removed: [...removed].slice(0, maxNames) };
}

/** Whoever pastes a whole page should read what went, not all of it. */
const maxNames = 40;
const maxName = 40;

/** The attributes that the cleaner will leave out: of a wrong value, or of no use there. */
function lost(tag: string, given: sanitize.Attributes, kept: sanitize.Attributes): string[] {
  const perTag = options.allowedAttributes === false ? {} : (options.allowedAttributes ?? {});
  const allowed = perTag[tag] ?? [];
  const stays = (name: string) => name === 'rel' || (name in kept && allowed.includes(name));
  return Object.keys(given)
    .filter((name) => !stays(name))
    .map((name) => name.slice(0, maxName));
}

function restingHtml(html: string, rules: sanitize.IOptions): string {
  let before = html;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const after = inPlace(sanitize(before, rules));
    if (after === before) return after;
    before = after;
  }
  return sanitize(before, { allowedTags: [], allowedAttributes: {} });
}

/** The text alone, for excerpts, searching and mails: blocks become lines, runs of space one. */
export function textOf(html: string): string {
  const lines = html.replace(
    /<(br|\/(p|h[2-4]|li|tr|blockquote|pre|figcaption|dt|dd|caption))\b[^>]*>/gi,
    '$&\n',
  );
  return unescape(
    sanitize(lines, { allowedTags: [], allowedAttributes: {}, nonTextTags: droppedWhole }),
  )
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim();
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&');
}
