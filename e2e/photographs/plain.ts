/** Answers without what differs between two runs of the same version. */
import type { Desk } from '../support/desk.ts';

export type Json = ReturnType<typeof JSON.parse>;

const RANDOM_HEADERS =
  /^(date|connection|keep-alive|content-length|x-request-id|x-ratelimit-(remaining|reset)|retry-after)$/;
const RANDOM: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '<time>'],
  [/\b\d{4}-\d\d-\d\d\b/g, '<date>'],
  [/\b(\w{3}, )?\d{1,2} \w{3,9} \d{4}( \d\d:\d\d(:\d\d)?)?( GMT)?/g, '<date>'],
  [/\bCX-\w{4}-\w{4}\b/g, '<number>'],
  [/(?<![\w-])(\w+\.)?(?=[\w-]*[\dA-Z])(?=[\w-]*[A-Za-z])[\w-]{20,}(\.[\w-]{6,})*/g, '<token>'],
];

export function plainText({ web, api }: Desk, text: string): string {
  const local = text.replaceAll(web, '<site>').replaceAll(api, '<api>');
  return RANDOM.reduce((plain, [pattern, name]) => plain.replace(pattern, name), local);
}

/** With sorted keys. */
export function plainValue(desk: Desk, value: Json): Json {
  if (typeof value === 'string') return plainText(desk, value);
  if (Array.isArray(value)) return value.map((item) => plainValue(desk, item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, part]) => [
      plainText(desk, key),
      /^id$|bytes$|cursor$/.test(key) && part !== null ? `<${key}>` : plainValue(desk, part),
    ]),
  );
}

export function plainHeaders(desk: Desk, headers: Headers): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of headers) {
    if (name === 'set-cookie')
      plain[name] =
        `${plain[name] ?? ''}${value.replace(/=[^;]*/, '=…').replace(/Max-Age=\d+/, 'Max-Age=…')} | `;
    else if (name === 'etag' || name === 'last-modified') plain[name] = 'present';
    else if (!RANDOM_HEADERS.test(name)) plain[name] = plainText(desk, value);
  }
  return plain;
}
