/** What of a kept draft can be put back, and where it outlives going. Pure. */

/** Null for nothing, and for what is of another shape than the draft of now. */
export function keptOf<Draft extends object>(
  kept: unknown,
  like: Draft,
): { readonly version: number; readonly draft: Draft } | null {
  const { version, draft } = Object(kept) as Record<string, unknown>;
  if (typeof version !== 'number' || typeof draft !== 'object' || draft === null) return null;
  const keys = (of: object) => Object.keys(of).toSorted().join();
  return keys(draft) === keys(like) ? { version, draft: draft as Draft } : null;
}

/** What was kept, with each field in its place that was typed in since `before`. */
export function withTyped<Draft extends object>(kept: Draft, before: Draft, typed: Draft): Draft {
  const keys = Object.keys(typed) as (keyof Draft)[];
  const isTyped = (key: keyof Draft) => JSON.stringify(typed[key]) !== JSON.stringify(before[key]);
  return { ...kept, ...Object.fromEntries(keys.filter(isTyped).map((key) => [key, typed[key]])) };
}

/** The same page stays as it is, and sign-in leads back to it. */
export function survivesAt(
  here: Pick<Location, 'pathname' | 'search'>,
  to: URL,
  isKept: boolean,
): boolean {
  if (to.pathname === here.pathname) return true;
  const next = to.searchParams.get('next');
  return isKept && to.pathname === '/signin' && next === here.pathname + here.search;
}
