/** The filters of the list of people, as they stand in the address. Pure. */
import { listPath, readSearch } from '#lib/console/list-query.ts';

export const userRoles = ['user', 'admin'] as const;
export const userStates = ['active', 'unverified', 'disabled'] as const;

export interface UsersQuery {
  q?: string;
  role?: (typeof userRoles)[number];
  state?: (typeof userStates)[number];
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
  const { q, role, state } = { ...query, ...change };
  return listPath('/admin/users', {
    q: q ?? undefined,
    role: role ?? undefined,
    state: state ?? undefined,
  });
}
