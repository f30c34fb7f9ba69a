/** Days as addresses write them, `2026-11-20`. Pure. */

/** A day that exists: the 30th of February does not. */
export function readDay(value: string | null): string | undefined {
  if (value === null || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
}

/** Whether the first day lies after the last: nothing can lie between them, and it is surely a slip. */
export function datesCross(span: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): boolean {
  // Written as they are, days sort as text.
  return span.from !== undefined && span.to !== undefined && span.from > span.to;
}
