/**
 * What may stand in the attributes of the HTML that people write: the one rule for
 * the cleaner and for the editor in the browser, which must not load the cleaner.
 */

/** Pictures of the site's own library: `/media/{id}-{width}.{format}`. */
export const picturePath = /^\/media\/[a-z0-9]{8,40}-[1-9]\d{0,3}\.(avif|webp|jpg|png)$/;
export const idPattern = /^[a-z][a-z0-9-]{0,79}$/;
/** `//host` would leave the site, and `/\host` does in browsers. */
const hrefPattern = /^(https?:\/\/|mailto:|tel:|\/(?![/\\])|#)/i;
/**
 * What word processors call their footnotes, remarks and headings: Word `#_ftn1`, LibreOffice
 * `#sdfootnote1sym`, Google Docs `#ftnt1`, `#cmnt_ref1`, `#heading=h.1`. They are left behind, as the ids
 * are that they lead to: those of headings alone are kept, and theirs are no such names unless somebody
 * writes `id="ftnt1"` by hand.
 */
const foreignMark =
  /^#(_|sd(foot|end)note\d+(anc|sym)$|(ftnt|cmnt)(_ref)?\d+$|((heading|bookmark)=)?(h|id|kix)\.)/i;

/**
 * The address as it is kept: with `%7C` for `|`, what is encoded already as it is.
 * Null for what browsers and checkers of HTML cannot read.
 */
export function writtenHref(typed: string): string | null {
  const trimmed = typed.trim();
  const ended = trimmed.replace(/[\t\n\r]/g, '');
  if (!hrefPattern.test(ended) || foreignMark.test(ended)) return null;
  if (halfEncoded.test(trimmed)) return null;
  const address = writtenAddress(trimmed);
  return URL.canParse(address, 'https://site.invalid') ? address : null;
}

const halfEncoded = /%(?![0-9a-f]{2})/i;
/** What an address may not hold, but for `%`. Source: RFC 3986, 2; URL Standard, 4.3 (letters of all languages). */
const forbidden =
  /[^!#$%&'()*+,\-./0-9:;=?@A-Z_a-z~\u{a0}-\u{10fffd}]|[\s\p{Noncharacter_Code_Point}]/gu;

/** The same with everything that has no place in an address encoded, by the part it stands in. */
export function writtenAddress(address: string): string {
  // As browsers read it: without the ends of lines of the HTML that it was wrapped in.
  const ended = address.replace(/[\t\n\r]/g, '').toWellFormed();
  const whole = ended.replace(new RegExp(halfEncoded, 'gi'), '%25');
  const parts = /^(https?:\/\/[^/\\?#]*)?([^?#]*)([^#]*)(#?)(.*)$/isu.exec(whole) ?? [];
  const [, site = '', path = '', query = '', hash = '', fragment = ''] = parts;
  // To browsers it is a slash there, and means itself everywhere else.
  const slashed = site !== '' || path.startsWith('/') ? path.replaceAll('\\', '/') : path;
  return (
    site.replace(forbidden, (sign) => (/[[\]]/.test(sign) ? sign : encodeURIComponent(sign))) +
    (slashed + query).replace(forbidden, encodeURIComponent) +
    hash +
    fragment.replace(forbidden, encodeURIComponent).replaceAll('#', '%23')
  );
}
