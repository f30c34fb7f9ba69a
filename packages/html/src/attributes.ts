/**
 * The attributes that the elements of a text may have, and their values: the one rule for the
 * cleaner and for the editor in the browser, which must not load the cleaner.
 */
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
export function fitting(tag: string, given: Attributes): Attributes {
  const kept = Object.entries(given).filter(
    ([name, value]) => fits[name]?.(value) ?? name === 'alt',
  );
  const attributes: Attributes = Object.fromEntries(kept);
  const href = writtenHref(attributes['href'] ?? '');
  if (href !== null) attributes['href'] = href;
  if (tag === 'img') attributes['alt'] ??= '';
  if (tag === 'a' && /^https?:/i.test(href ?? '')) attributes['rel'] = 'noopener';
  return attributes;
}

/** By name those that have no place: of a wrong value, or of no use there. */
export function leftOut(tag: string, given: Attributes): string[] {
  const kept = fitting(tag, given);
  const allowed = attributesOf[tag] ?? [];
  const stays = (name: string) => name === 'rel' || (name in kept && allowed.includes(name));
  return Object.keys(given).filter((name) => !stays(name));
}
