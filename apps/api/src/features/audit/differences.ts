/** Pure: what an edit changed, so that the log tells what was there before. */
import { canonical } from '#kernel/canonical.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Of these fields, those whose values differ, with both. */
export function differences(
  before: Fields,
  after: Fields,
  fields: readonly string[],
): Record<string, { readonly before: unknown; readonly after: unknown }> {
  const changed = fields.filter((field) => canonical(before[field]) !== canonical(after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { before: before[field], after: after[field] }]),
  );
}
