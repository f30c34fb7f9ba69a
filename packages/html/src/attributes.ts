/** Allowed attributes and values. Apart from the cleaner, which is too large for the editor in the browser. */
import { headings } from './elements.ts';
import { idPattern, picturePath, writtenHref } from './places.ts';

export type Attributes = Record<string, string>;

export const attributesOf: Readonly<Record<string, string[]>> = {
  a: ['href', 'rel'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  ol: ['start'],
  code: ['class'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  ...Object.fromEntries(headings.map((heading) => [heading, ['id']])),
};

const languageClass = /^language-[a-z0-9+#-]{1,30}$/;

const integerUpTo = (limit: number) => (value: string) =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= limit;

const isAllowedValue: Readonly<Record<string, (value: string) => boolean>> = {
  href: (value) => writtenHref(value) !== null,
  src: (value) => picturePath.test(value),
  id: (value) => idPattern.test(value),
  class: (value) => languageClass.test(value),
  scope: (value) => value === 'col' || value === 'row',
  width: integerUpTo(10_000),
  height: integerUpTo(10_000),
  colspan: integerUpTo(20),
  rowspan: integerUpTo(200),
  start: integerUpTo(10_000),
  loading: (value) => value === 'lazy',
};

/** The attributes with allowed values. An external link gets `rel="noopener"`. */
export function allowedAttributes(tag: string, given: Attributes): Attributes {
  const attributes: Attributes = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => isAllowedValue[name]?.(value) ?? name === 'alt',
    ),
  );
  const href = writtenHref(attributes['href'] ?? '');
  if (href !== null) attributes['href'] = href;
  if (tag === 'img') attributes['alt'] ??= '';
  if (tag === 'a' && /^https?:/i.test(href ?? '')) attributes['rel'] = 'noopener';
  return attributes;
}

/** The names of attributes that the cleaner removes from this element. */
export function removedAttributes(tag: string, given: Attributes): string[] {
  const remaining = allowedAttributes(tag, given);
  const allowed = attributesOf[tag] ?? [];
  const stays = (name: string) => name === 'rel' || (name in remaining && allowed.includes(name));
  return Object.keys(given).filter((name) => !stays(name));
}
