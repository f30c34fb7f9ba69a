/** Users for the console, with their exchanges counted; auth and exchanges write them. */
import { openStates } from '@cambist/contract/exchange-groups';
import type { userStates } from '@cambist/contract/users';
import { userCondition } from '#platform/db/user-search.ts';
import { sql, type Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import type { Db } from '#platform/db/database.ts';
import type { UsersTable } from '#platform/db/tables.generated.ts';

export type UserRow = Selectable<UsersTable>;

export interface UserFilter {
  /** Parts of name or address; empty for all. */
  readonly words: string;
  readonly state: (typeof userStates)[number] | undefined;
  /** Those after this user in the list. */
  readonly after: Id | undefined;
  readonly limit: number;
}

const inState = {
  // A literal, so that the planner can use the partial index of admins.
  admin: sql<boolean>`role = 'admin'`,
  disabled: sql<boolean>`disabled_at is not null`,
  unverified: sql<boolean>`email_verified_at is null`,
} as const;

/** The newest first, without deleted accounts. */
export function selectUsers(db: Db, { words, state, after, limit }: UserFilter) {
  // A search without letters or digits finds no user.
  const found = words === '' ? null : (userCondition(words) ?? sql<boolean>`false`);
  // By itself, or the planner may read all users in the order of the list instead.
  const users = sql<UserRow>`(select * from users ${found === null ? sql`` : sql`where ${found} offset 0`})`;
  return db
    .selectFrom(users.as('users'))
    .selectAll()
    .where('deleted_at', 'is', null)
    .where(state === undefined ? sql<boolean>`true` : inState[state])
    .where(
      after === undefined
        ? sql<boolean>`true`
        : sql<boolean>`(created_at, id) < (select created_at, id from users where id = ${after})`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
}

// Literals, so that the few open exchanges have their own index.
const literalStates = sql.join(openStates.map((state) => sql.lit(state)));

export type UserDetailRow = UserRow & {
  identities: string[];
  passkeys: number;
  exchanges: number;
  open_exchanges: number;
};

export async function findUser(db: Db, id: Id): Promise<UserDetailRow | undefined> {
  return db
    .selectFrom('users as u')
    .selectAll('u')
    .select([
      sql<string[]>`array(select provider from identities i where i.user_id = u.id order by 1)`.as(
        'identities',
      ),
      sql<number>`(select count(*)::int from passkeys p where p.user_id = u.id)`.as('passkeys'),
      sql<number>`(select count(*)::int from exchanges e where e.user_id = u.id)`.as('exchanges'),
      sql<number>`(select count(*)::int from exchanges e
        where e.user_id = u.id and e.state in (${literalStates}))`.as('open_exchanges'),
    ])
    .where('u.id', '=', id)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Customers with an unverified address and without exchanges, from before this time, the oldest first. */
export async function listUnverified(db: Db, before: Date, limit: number): Promise<Id[]> {
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.email_verified_at', 'is', null)
    .where('u.deleted_at', 'is', null)
    .where('u.role', '=', 'user')
    .where('u.created_at', '<', before)
    .where(sql<boolean>`not exists (select from exchanges e where e.user_id = u.id)`)
    .orderBy('u.created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
