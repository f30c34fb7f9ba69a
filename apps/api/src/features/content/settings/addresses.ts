/** Addresses in settings, as they may stand in a page: with `%7C` for `|`. */
import { writtenAddress } from '@cambist/html/places';

const fields: ReadonlySet<string> = new Set(['href', 'og_image', 'portrait']);

/** The same value with its addresses encoded, those that were stored before among them. */
export function withWrittenAddresses<V>(value: V): V {
  return written('', value) as V;
}

function written(key: string, value: unknown): unknown {
  if (typeof value === 'string') return fields.has(key) ? writtenAddress(value) : value;
  if (Array.isArray(value)) return value.map((each) => written('', each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, written(name, part)]),
  );
}
