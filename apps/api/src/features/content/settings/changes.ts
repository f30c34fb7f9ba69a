/** What differs between two values of settings, field by field and row by row, as people would be told. Pure. */
import type { Leaf, SettingsChange } from '@cambist/contract/settings-history';
import { canonical } from '#kernel/canonical.ts';
import { inTheirOrder, placesBefore, type Row } from './moved-rows.ts';

type Told = Pick<SettingsChange, 'changes' | 'rows'>;

/** Each group in the order of the value as it is now, then what is gone from it. */
export function changesBetween(before: unknown, after: unknown): Told {
  const told: Told = { changes: [], rows: [] };
  tell(told, '', before, after);
  return told;
}

function tell(told: Told, path: string, before: unknown, after: unknown): void {
  if (canonical(before) === canonical(after)) return;
  if (hasRows(before) || hasRows(after)) tellRows(told, path, rowsOf(before), rowsOf(after));
  else if (isGroup(before) || isGroup(after)) {
    const [old, now] = [before, after].map((each) => (isGroup(each) ? each : {})) as [Row, Row];
    for (const key of new Set([...Object.keys(now), ...Object.keys(old)]))
      tell(told, path === '' ? key : `${path}.${key}`, old[key], now[key]);
  } else {
    const change = { path, before: leafOf(before), after: leafOf(after) };
    if (canonical(change.before) !== canonical(change.after)) told.changes.push(change);
  }
}

/** What came, went or was moved as a whole; of what was there before too, what changed in it. */
function tellRows(told: Told, path: string, old: readonly Row[], now: readonly Row[]): void {
  const places = placesBefore(old, now);
  const still = inTheirOrder(places);
  const known = new Set(places);
  for (const [to, row] of now.entries()) {
    const from = places[to] ?? null;
    if (from === null || !still.has(from)) told.rows.push({ path, from, to, row });
    if (from !== null) tell(told, `${path}.${to}`, old[from], row);
  }
  for (const [from, row] of old.entries())
    if (!known.has(from)) told.rows.push({ path, from, to: null, row });
}

/** A list of plain values is one by itself; an empty one is nothing. */
function leafOf(value: unknown): Leaf {
  if (Array.isArray(value)) return value.length > 0 ? value.map(String) : null;
  return isPlain(value) ? value : null;
}

function hasRows(value: unknown): boolean {
  return Array.isArray(value) && value.some(isGroup);
}

function rowsOf(value: unknown): Row[] {
  return Array.isArray(value) ? value.filter(isGroup) : [];
}

function isGroup(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
