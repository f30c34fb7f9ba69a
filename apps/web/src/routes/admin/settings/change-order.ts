/** Changes of settings in the order of their form; the database keeps none. Pure. */
import type { Shape } from '#lib/admin/schema-form/shape.ts';

/** What the form does not know any more comes last. */
export function inFormOrder<T extends { readonly path: string }>(
  shape: Shape,
  changes: readonly T[],
): T[] {
  const placed = changes.map((change) => ({ change, place: placeOf(shape, change.path) }));
  return placed
    .toSorted((one, other) => compared(one.place, other.place))
    .map(({ change }) => change);
}

function placeOf(shape: Shape | undefined, path: string): number[] {
  const [step = '', ...rest] = path.split('.');
  if (path === '' || shape === undefined) return [];
  const below = rest.join('.');
  if (shape.kind === 'list') return [Number(step), ...placeOf(shape.item, below)];
  if (shape.kind !== 'group') return [];
  const index = shape.fields.findIndex(({ key }) => key === step);
  return index === -1 ? [Infinity] : [index, ...placeOf(shape.fields[index]?.shape, below)];
}

/** A row as a whole stands before its fields. */
function compared(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((step, at) => step !== other[at]);
  return index === -1 ? one.length - other.length : (one[index] ?? 0) - (other[index] ?? -1);
}
