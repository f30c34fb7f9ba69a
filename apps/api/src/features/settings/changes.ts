/** What differs between two values of settings, field by field, as people would be told. Pure. */
import type { Leaf, SettingsChange } from '@cambist/contract/settings-history';
import { canonical } from '#kernel/canonical.ts';

type Leaves = Map<string, Leaf>;

/** In the order of the value as it is now, then what is gone from it. */
export function changesBetween(before: unknown, after: unknown): SettingsChange['changes'] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...now.keys(), ...old.keys()])]
    .map((path) => ({ path, before: old.get(path) ?? null, after: now.get(path) ?? null }))
    .filter((change) => canonical(change.before) !== canonical(change.after));
}

/** Everything that holds nothing else, by its path; lists of plain values stay whole, empty ones are nothing. */
function leavesOf(value: unknown, path = '', found: Leaves = new Map()): Leaves {
  if (Array.isArray(value) && value.every(isPlain)) {
    if (value.length > 0) found.set(path, value.map(String));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      leavesOf(inner, path === '' ? key : `${path}.${key}`, found);
    }
  } else if (isPlain(value)) found.set(path, value);
  return found;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
