/**
 * What was made of long texts, in memory by the text itself: the same text is
 * never made twice, and another one is never shown in its place. Bounded in
 * bytes; what nobody has asked for longest is forgotten first.
 */
import { createHash } from 'node:crypto';

export interface KeptTexts<T> {
  /** What `make` made of these words, now or before. Simultaneous callers share one making; a failed one is not kept. */
  get(words: readonly string[], make: () => Promise<T>): Promise<T>;
}

/** `lengthOf` counts the letters of what is kept. A letter takes two bytes at most. */
export function keptTexts<T>(maxBytes: number, lengthOf: (made: T) => number): KeptTexts<T> {
  const known = new Map<string, { readonly made: T; readonly bytes: number }>();
  const making = new Map<string, Promise<T>>();
  let total = 0;

  function keep(key: string, made: T): void {
    const bytes = 2 * lengthOf(made);
    if (bytes > maxBytes) return;
    known.set(key, { made, bytes });
    total += bytes;
    for (const [longestUnasked, { bytes: freed }] of known) {
      if (total <= maxBytes) return;
      known.delete(longestUnasked);
      total -= freed;
    }
  }

  return {
    async get(words, make) {
      const key = createHash('sha256').update(JSON.stringify(words)).digest('base64');
      const found = known.get(key);
      if (found !== undefined) {
        known.delete(key);
        known.set(key, found);
        return found.made;
      }
      const begun = making.get(key);
      if (begun !== undefined) return begun;
      const made = make();
      making.set(key, made);
      try {
        keep(key, await made);
        return await made;
      } finally {
        making.delete(key);
      }
    },
  };
}
