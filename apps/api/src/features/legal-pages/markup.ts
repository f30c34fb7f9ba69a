/**
 * What the body of a legal page may be made of: headings, text, lists, tables
 * and links. Anything else is refused, not repaired: whoever writes a page
 * should know what will be shown. The pages are shown as they are stored, so
 * this is the wall.
 */
const TAGS = new Set([
  'h2',
  'h3',
  'h4',
  'p',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'strong',
  'em',
  'a',
  'br',
  'hr',
  'blockquote',
  'code',
  'table',
  'caption',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
]);
const ID = /^[a-z][a-z0-9-]{0,79}$/;
const HREF = /^(https:\/\/|mailto:|tel:|\/(?![/\\])|#)[^\s"'<>\\]*$/;
/** A start or end tag in its plainest spelling: lower case, double quotes, nothing unusual. */
const TAG = /^<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"<>]*")*)( ?\/)?>/;

/**
 * The first thing that may not be in a body, as a sentence; null when all is
 * well. A body that passes has no other markup for any parser: every `<` in it
 * begins one of the tags above.
 */
export function findForbidden(html: string): string | null {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    const match = TAG.exec(html.slice(at, at + 600));
    if (!match) return `The markup near “${html.slice(at, at + 20)}” cannot be read.`;
    const [, closing, name = '', attributes = ''] = match;
    if (!TAGS.has(name)) return `The element <${name}> is not allowed.`;
    if (closing && attributes !== '') return `The end tag </${name}> has attributes.`;
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (!isAllowed(name, attribute, value)) {
        return `The attribute ${attribute} of <${name}> is not allowed.`;
      }
    }
  }
  return null;
}

function isAllowed(element: string, attribute: string, value: string): boolean {
  switch (attribute) {
    case 'id':
      return ID.test(value);
    case 'href':
      // A character reference could hide another scheme; only the ampersand's own is needed.
      return element === 'a' && HREF.test(value) && !/&(?!amp;)/.test(value);
    case 'scope':
      return element === 'th' && (value === 'col' || value === 'row');
    default:
      return false;
  }
}
