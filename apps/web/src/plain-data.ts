/**
 * Replaces devalue's parser in the browser (see vite.config.ts). Loads and actions return JSON,
 * `undefined` and SvelteKit's promises only; parsing dates, maps and typed arrays would add 2 kB to
 * every page.
 * @throws when something else is returned; then remove this replacement
 */
type Revivers = Readonly<Record<string, (value: unknown) => unknown>>;

const isUndefined = (index: number) => index === -1;

export function parse(text: string, revivers?: Revivers): unknown {
  return unflatten(JSON.parse(text), revivers);
}

/** Values refer to each other by their index in `parsed`; the first is the whole. */
export function unflatten(parsed: number | readonly unknown[], revivers: Revivers = {}): unknown {
  const values = typeof parsed === 'number' ? [] : parsed;
  const read = new Map<number, unknown>();

  function at(index: number): unknown {
    if (isUndefined(index)) return undefined;
    if (!(index in values)) throw new Error(unknown(index));
    if (!read.has(index)) read.set(index, valueOf(values[index]));
    return read.get(index);
  }

  function valueOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (!Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, index]) => [key, at(index)]));
    }
    const kind: unknown = value[0];
    if (typeof kind !== 'string') return value.map((index) => at(index));
    const revive = revivers[kind];
    if (revive === undefined) throw new Error(unknown(kind));
    return revive(at(value[1]));
  }

  return at(typeof parsed === 'number' ? parsed : 0);
}

const unknown = (what: string | number) =>
  `Answered was a ${what}: take plain-data.ts out of vite.config.ts.`;
