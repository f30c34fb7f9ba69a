/**
 * JSON as a cautious service reads it: what parsers may disagree about is
 * refused instead of guessed. RFC 8259 leaves duplicate keys open, PostgreSQL
 * knows no NUL, and `__proto__` is never a field.
 */

/** Thrown with a reason for the log; the caller hears only that the JSON is not valid. */
export class JsonRefused extends Error {}

/** The contract's deepest body has five levels. */
const MAX_DEPTH = 32;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Parses one JSON text. @throws {JsonRefused} */
export function parseStrictly(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonRefused('syntax');
  }
  refuseDoubtfulKeys(text);
  return value;
}

/**
 * Walks a text that is known to be valid JSON, so only strings and brackets
 * matter. `JSON.parse` itself keeps the last of two equal keys silently.
 */
function refuseDoubtfulKeys(text: string): void {
  /** One entry for each open bracket: the keys seen, or null in an array. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null);
      if (open.length > MAX_DEPTH) throw new JsonRefused('too deep');
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end + 1)) noteKey(keys, text.slice(at, end + 1));
      at = end;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function noteKey(keys: Set<string>, quoted: string): void {
  const key = JSON.parse(quoted) as string;
  if (FORBIDDEN_KEYS.has(key)) throw new JsonRefused('forbidden key');
  if (keys.has(key)) throw new JsonRefused('duplicate key');
  keys.add(key);
}

/**
 * Control characters other than tab and line breaks, and halves of surrogate
 * pairs: nobody types them, and databases and logs trip over them.
 */
const DOUBTFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The path (`items.0.title`) of the first string that holds such a character; null when none does. */
export function findDoubtfulText(value: unknown): string | null {
  const first = doubtfulTexts(value).next();
  return first.done ? null : first.value;
}

/** The paths of all of them. */
export function* doubtfulTexts(
  value: unknown,
  path: readonly string[] = [],
): Generator<string, void> {
  if (typeof value === 'string') {
    if (DOUBTFUL.test(value) || !value.isWellFormed()) yield path.join('.');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* doubtfulTexts(key, [...path, key]);
      yield* doubtfulTexts(part, [...path, key]);
    }
  }
}
