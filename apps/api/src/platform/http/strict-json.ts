/**
 * Parses JSON strictly: refuses what parsers disagree about. RFC 8259 leaves duplicate keys open, PostgreSQL
 * stores no NUL, and `__proto__` is never a field.
 */

/** The message is for the log; the caller learns only that the JSON is invalid. */
export class JsonRefused extends Error {}

/** Thrown for a text that holds more keys or items than `JsonLimits` allows. */
export class TooManyParts extends JsonRefused {}

export interface JsonLimits {
  /** Keys of one object. */
  readonly keys: number;
  /** Items of one array. */
  readonly items: number;
  /** Keys and items of the whole text. */
  readonly parts: number;
}

/** The contract's deepest body has five levels. */
const MAX_DEPTH = 32;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const UNLIMITED: JsonLimits = { keys: Infinity, items: Infinity, parts: Infinity };

/** An object or array that is still open at this place of the text. */
interface Container {
  /** Null in an array. */
  readonly keys: Set<string> | null;
  commas: number;
}

/**
 * Checks the limits before parsing, so that a text beyond them costs little.
 * @throws {JsonRefused} also for duplicate and forbidden keys and for more than 32 levels
 * @throws {TooManyParts}
 */
export function parseStrictly(text: string, limits = UNLIMITED): unknown {
  try {
    checkStructure(text, limits);
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof JsonRefused ? error : new JsonRefused('syntax');
  }
}

/** Looks only at strings, commas and brackets; `JSON.parse` checks the rest. */
function checkStructure(text: string, limits: JsonLimits): void {
  const open: Container[] = [];
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    const inside = open.at(-1);
    if (character === '{' || character === '[') {
      open.push({ keys: character === '{' ? new Set() : null, commas: 0 });
      if (open.length > MAX_DEPTH) throw new JsonRefused('too deep');
      parts += 1;
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',' && inside !== undefined) {
      inside.commas += 1;
      if (inside.commas >= (inside.keys === null ? limits.items : limits.keys)) {
        throw new TooManyParts('too many keys or items');
      }
      parts += 1;
    } else if (character === '"') {
      const end = endOfString(text, at);
      if (inside?.keys && isKey(text, end + 1)) addKey(inside.keys, text.slice(at, end + 1));
      at = end;
    }
    if (parts > limits.parts) throw new TooManyParts('too many keys and items');
  }
}

/** The closing quote, or the end of a text that lacks it. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1;
  return text[at] === ':';
}

function addKey(keys: Set<string>, quoted: string): void {
  const key = JSON.parse(quoted) as string;
  if (FORBIDDEN_KEYS.has(key)) throw new JsonRefused('forbidden key');
  if (keys.has(key)) throw new JsonRefused('duplicate key');
  keys.add(key);
}

/** Control characters other than tab and line breaks; with lone surrogates, what databases and logs cannot take. */
const DOUBTFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** The path (`items.0.title`) of the first string that holds such a character; null when none does. */
export function findDoubtfulText(value: unknown): string | null {
  return doubtfulTexts(value, 1)[0] ?? null;
}

/** The paths of the first `most` of them. */
export function doubtfulTexts(value: unknown, most: number): readonly string[] {
  const found: string[] = [];
  const path: string[] = [];
  const visit = (part: unknown) => {
    if (found.length >= most) return;
    if (typeof part === 'string') {
      if (DOUBTFUL.test(part) || !part.isWellFormed()) found.push(path.join('.'));
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, inner] of Object.entries(part)) {
        path.push(key);
        visit(key);
        visit(inner);
        path.pop();
      }
    }
  };
  visit(value);
  return found;
}
