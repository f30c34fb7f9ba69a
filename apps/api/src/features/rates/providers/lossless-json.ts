/** JSON with numbers as text, since `JSON.parse` would round a rate of 18 decimals. */
import { parseStrictly } from '#platform/http/strict-json.ts';

/** A number as written in the JSON: `0.9013`, `1e-7`. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json =
  | null
  | boolean
  | string
  | Numeral
  | readonly Json[]
  | { readonly [key: string]: Json };

/** @throws {JsonRefused} also for duplicate keys and for more than 32 levels */
export function parseLosslessly(text: string): Json {
  // First, since it refuses a depth that would overflow the stack.
  parseStrictly(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new Numeral(context?.source ?? '') : value,
  ) as Json;
}

/** The value at a path of keys; undefined where there is none. */
export function field(json: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = json;
  for (const key of path) {
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

export function isObject(json: Json | undefined): json is { readonly [key: string]: Json } {
  return (
    typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof Numeral)
  );
}
