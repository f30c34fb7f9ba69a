/** Rules for URLs and ids in HTML, shared by the cleaner and the editor in the browser. */

/** Pictures of the site's own library: `/media/{id}-{width}.{format}`. */
export const picturePath = /^\/media\/[a-z0-9]{8,40}-[1-9]\d{0,3}\.(avif|webp|jpg|png)$/;
export const idPattern = /^[a-z][a-z0-9-]{0,79}$/;
/** `//host` would leave the site, and `/\host` does in browsers. */
const hrefPattern = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i;
/**
 * Links of word processors to footnotes, comments and headings: Word `#_ftn1`, LibreOffice
 * `#sdfootnote1sym`, Google Docs `#ftnt1`, `#cmnt_ref1`, `#heading=h.1`. Removed, since their targets are.
 */
const foreignMark =
  /^#(_|sd(foot|end)note\d+(anc|sym)$|(ftnt|cmnt)(_ref)?\d+$|((heading|bookmark)=)?(h|id|kix)\.)/i;

/** The href as it is stored, percent-encoded where needed. Null where a browser or HTML checker could not read it. */
export function writtenHref(typed: string): string | null {
  const trimmed = typed.trim();
  const ended = trimmed.replace(/[\t\n\r]/g, '');
  if (!hrefPattern.test(ended) || foreignMark.test(ended)) return null;
  if (halfEncoded.test(trimmed)) return null;
  const address = writtenAddress(trimmed);
  return URL.canParse(address, 'https://site.invalid') ? address : null;
}

const halfEncoded = /%(?![0-9a-f]{2})/i;
/** Characters that must be encoded, except `%`. Source: RFC 3986, 2; URL Standard, 4.3. */
const forbidden =
  /[^!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~\u{a0}-\u{10fffd}]|[\s\p{Noncharacter_Code_Point}]/gu;

/** Percent-encodes what each part of a URL may not hold. */
export function writtenAddress(address: string): string {
  // As browsers do: newlines and tabs are ignored.
  const ended = address.replace(/[\t\n\r]/g, '').toWellFormed();
  const whole = ended.replace(new RegExp(halfEncoded, 'gi'), '%25');
  const parts = /^(https?:\/\/[^/\\?#]*)?([^?#]*)([^#]*)(#?)(.*)$/isu.exec(whole) ?? [];
  const [, site = '', path = '', query = '', hash = '', fragment = ''] = parts;
  // Browsers read a backslash in a path as a slash.
  const slashed = site !== '' || path.startsWith('/') ? path.replaceAll('\\', '/') : path;
  return (
    site.replace(forbidden, (sign) => (/[[\]]/.test(sign) ? sign : encodeURIComponent(sign))) +
    (slashed + query).replace(forbidden, encodeURIComponent) +
    hash +
    fragment.replace(forbidden, encodeURIComponent).replaceAll('#', '%23')
  );
}
