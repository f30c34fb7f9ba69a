/** How much of what was written goes when another text takes its place. Pure. */

/** So many letters at once are no slip of the keyboard; of a short text, half of it. */
const MUCH = 100;
const HALF_OF_SHORT = 20;

/** Whether any one text among the fields is shorter, or another, by much. */
export function losesMuch(before: object, after: object): boolean {
  const next = new Map<string, unknown>(Object.entries(after));
  return Object.entries(before).some(([field, text]) => {
    const then = next.get(field) ?? '';
    if (typeof text !== 'string' || typeof then !== 'string') return false;
    const lost = lostOf(text, then);
    return lost >= MUCH || (lost >= HALF_OF_SHORT && lost * 2 >= text.length);
  });
}

/** How many letters go between what both begin with and what both end with. */
function lostOf(before: string, after: string): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return before.length - start - end;
}
