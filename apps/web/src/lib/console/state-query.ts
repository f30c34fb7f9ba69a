/** A list that is filtered by one state and one search, as both stand in its address. Pure. */

export interface StateQuery<State extends string> {
  state?: State;
  q?: string;
}

/** The longest search that the service takes. */
export const searchLength = 100;

export function readSearch(typed: string): string {
  return typed.trim().slice(0, searchLength);
}

/** Reads the address; what makes no sense there is left out. */
export function readStateQuery<State extends string>(
  states: readonly State[],
  query: Pick<URLSearchParams, 'get'>,
): StateQuery<State> {
  const state = states.find((each) => each === query.get('state'));
  const q = readSearch(query.get('q') ?? '');
  return { ...(state ? { state } : {}), ...(q === '' ? {} : { q }) };
}

/** Of the words for an empty list, those of what leaves it empty. */
export function emptyWord<Word>(
  { state, q }: StateQuery<string>,
  words: { readonly search: Word; readonly state: Word; readonly all: Word },
): Word {
  if (q !== undefined) return words.search;
  return state === undefined ? words.all : words.state;
}

/** The address of the list at `path` with these filters. */
export function statePath(
  path: string,
  { state, q }: { readonly state?: string | undefined; readonly q?: string | undefined },
): string {
  const search = new URLSearchParams();
  if (state) search.set('state', state);
  if (q) search.set('q', q);
  return search.size > 0 ? `${path}?${search}` : path;
}
