/** The filters of a list in the address of its page. Pure. */
import type { TabLink } from '#lib/ui/TabLinks.svelte';

/** The longest search that the API accepts. */
export const searchLength = 100;

export function readSearch(typed: string): string {
  return typed.trim().slice(0, searchLength);
}

/** The number of a page in an address; the first where it is none. */
export function readPage(typed: string | null): number {
  return typed !== null && /^[1-9]\d{0,5}$/.test(typed) ? Number(typed) : 1;
}

export type ListQuery<State extends string> = { state?: State; q?: string };

/** Reads the address; invalid filters are left out. */
export function readListQuery<State extends string>(
  states: readonly State[],
  url: Pick<URL, 'search'>,
): ListQuery<State> {
  const query = new URLSearchParams(url.search);
  const state = states.find((each) => each === query.get('state'));
  const q = readSearch(query.get('q') ?? '');
  return { ...(state ? { state } : {}), ...(q === '' ? {} : { q }) };
}

type Filters = Readonly<Record<string, string | number | undefined>>;

/** The address of the list with these filters; `per_page` and the first page are left out. */
export function listPath(path: string, filters: Filters): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(filters)) {
    if (value && name !== 'per_page' && !(name === 'page' && value === 1))
      search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

interface States<State extends string> {
  readonly all: string;
  readonly labels: Readonly<Record<State, () => string>>;
  readonly counts?: Readonly<Partial<Record<State, number>>>;
}

/** A tab for each state, which keeps the other filters. */
export function stateTabs<State extends string>(
  path: string,
  query: Filters,
  { all, labels, counts }: States<State>,
): TabLink[] {
  const states = Object.keys(labels) as State[];
  const href = (state?: State) => listPath(path, { ...query, state, page: 1 });
  return [
    { href: href(), label: all, current: query['state'] === undefined },
    ...states.map((state) => ({
      href: href(state),
      label: labels[state](),
      count: counts?.[state] || undefined,
      current: query['state'] === state,
    })),
  ];
}
