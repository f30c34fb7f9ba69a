/** The tables of users and sessions. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { MemberSession, Profile } from '#platform/security/sessions.ts';
import type { SessionsTable, UsersTable } from '#platform/db/tables.generated.ts';

export type UserRow = Selectable<UsersTable>;

export async function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function findUser(db: Db | Tx, id: Id): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function countUsers(db: Db | Tx): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Undefined when the address is taken. */
export async function insertUser(
  tx: Tx,
  user: Insertable<UsersTable>,
): Promise<UserRow | undefined> {
  return tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateUser(tx: Tx, id: Id, change: Updateable<UsersTable>): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Skips deleted accounts: a request that overlaps the deletion must not write to the emptied row. */
export async function updateLastSeen(db: Db | Tx, id: Id, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute();
}

export async function insertSession(tx: Tx, session: Insertable<SessionsTable>): Promise<void> {
  await tx.insertInto('sessions').values(session).execute();
}

const selectSessions = (db: Db, hashes: readonly string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id_hash',
      'sessions.remember',
      'sessions.created_at as begun_at',
      'sessions.last_used_at',
      'sessions.confirmed_at',
    ])
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.email_verified_at',
      'users.pending_email',
      'users.role',
      'users.permissions',
      'users.locale',
      'users.desk_notices',
      'users.desk_digest',
      'users.two_factor_at',
      'users.created_at',
    ])
    .select(sql<boolean>`users.password_hash is not null`.as('has_password'))
    .where('sessions.id_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where('users.disabled_at', 'is', null);

/** Compiled once: each request of a person begins with it, and took a fifth longer. */
let compiledSessions: ReturnType<ReturnType<typeof selectSessions>['compile']> | undefined;

/** The sessions with their users, by their hashes in hexadecimal digits; without those of disabled users. */
export async function findSessions(
  db: Db,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, MemberSession>> {
  compiledSessions ??= selectSessions(db, []).compile();
  const parameters = [hashes.map((hash) => `\\x${hash}`)];
  const query: typeof compiledSessions = { ...compiledSessions, parameters };
  const { rows } = await db.executeQuery(query);
  return new Map(
    rows.map(({ id_hash, remember, begun_at, last_used_at, confirmed_at, ...profile }) => [
      id_hash.toString('hex'),
      {
        actor: actorOf(profile),
        profile,
        hasTwoFactor: profile.two_factor_at !== null,
        remember,
        createdAt: begun_at,
        lastUsedAt: last_used_at,
        confirmedAt: confirmed_at,
      },
    ]),
  );
}

export async function updateSessionUse(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('id_hash', '=', idHash)
    .execute();
}

export async function deleteSession(db: Db | Tx, idHash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
}

/** Deletes the user's sessions except one; returns how many. */
export async function deleteSessionsOf(tx: Tx, userId: Id, except: Buffer | null): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('id_hash', '!=', except))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Deletes the user's sessions beyond the newest `limit`; returns how many. */
export async function deleteOldestSessions(tx: Tx, userId: Id, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sessions')
    .where('id_hash', 'in', (select) =>
      select
        .selectFrom('sessions')
        .select('id_hash')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function deletePendingSignIns(tx: Tx, userId: Id): Promise<void> {
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

/** Whether one of these sessions ended within `ms`, by the clock of the database, whose trigger records the end. */
export async function haveEnded(db: Db, idHashes: readonly Buffer[], ms: number): Promise<boolean> {
  const row = await db
    .selectFrom('ended_sessions')
    .select('id_hash')
    .where('id_hash', 'in', idHashes)
    .where('ended_at', '>', sql<Date>`now() - ${ms}::integer * interval '1 millisecond'`)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteEndedSessions(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('ended_sessions').where('ended_at', '<', before).execute();
}

/** Locks the user's row until the transaction ends. */
export async function lockUser(tx: Tx, id: Id): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Locks the session until the transaction ends; false when it is gone. */
export async function lockSession(tx: Tx, userId: Id, idHash: Buffer): Promise<boolean> {
  const row = await tx
    .selectFrom('sessions')
    .select('id')
    .where('id_hash', '=', idHash)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSessionsCreatedBefore(db: Db, time: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('created_at', '<', time)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export function profileOf(user: UserRow): Profile {
  return { ...user, has_password: user.password_hash !== null };
}

export function actorOf(user: Pick<UserRow, 'id' | 'name' | 'role' | 'permissions'>): Actor {
  return { id: user.id, name: user.name, role: user.role, permissions: user.permissions };
}

export async function listSessionsOf(db: Db, userId: Id): Promise<Selectable<SessionsTable>[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Deletes one of the user's sessions; returns its hash, or undefined when there is none. */
export async function deleteSessionById(tx: Tx, userId: Id, id: Id): Promise<Buffer | undefined> {
  const row = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id_hash')
    .executeTakeFirst();
  return row?.id_hash;
}

/** False when the session is gone. */
export async function updateSessionConfirmed(tx: Tx, idHash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ confirmed_at: now })
    .where('id_hash', '=', idHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
