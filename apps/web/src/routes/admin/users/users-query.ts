/** The filters of the list of people, as they stand in the address. Pure. */

export const userRoles = ['user', 'admin'] as const;
export const userStates = ['active', 'unverified', 'disabled'] as const;

export interface UsersQuery {
  q?: string;
  role?: (typeof userRoles)[number];
  state?: (typeof userStates)[number];
}

/** The longest search that the service takes. */
export const searchLength = 254;

export function readSearch(typed: string): string {
  return typed.trim().slice(0, searchLength);
}

/** Reads the address; what makes no sense there is left out. */
export function readUsersQuery(query: URLSearchParams): UsersQuery {
  const q = readSearch(query.get('q') ?? '');
  const role = userRoles.find((each) => each === query.get('role'));
  const state = userStates.find((each) => each === query.get('state'));
  return { ...(q === '' ? {} : { q }), ...(role ? { role } : {}), ...(state ? { state } : {}) };
}

/** The address of the list with these filters; `null` takes one away. */
export function usersPath(
  query: UsersQuery,
  change: { [Name in keyof UsersQuery]?: UsersQuery[Name] | null } = {},
): string {
  const changed = { ...query, ...change };
  const search = new URLSearchParams();
  for (const name of ['q', 'role', 'state'] as const) {
    const value = changed[name];
    if (value) search.set(name, value);
  }
  return search.size > 0 ? `/admin/users?${search}` : '/admin/users';
}
