/** JSON with sorted names, so that equal values give equal texts. `bigint` becomes a decimal string. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part === 'bigint') return String(part);
      if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
      return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? 'undefined'
  );
}
