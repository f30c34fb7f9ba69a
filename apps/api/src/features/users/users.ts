/** Users as the console shows them. */
import type { UserDetail, UserNote, listUsers } from '@cambist/contract/users';
import type { QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import type { Db } from '#platform/db/database.ts';
import * as store from './store.ts';

const PER_PAGE = 25;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One page. @throws {Refusal} 422 on `cursor` */
export async function list(
  db: Db,
  { q = '', state, cursor, per_page = PER_PAGE }: QueryOf<typeof listUsers>,
): Promise<ReplyOf<typeof listUsers>> {
  if (cursor !== undefined && !UUID.test(cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  const filter = { words: q.trim(), state, after: cursor, limit: per_page + 1 };
  const rows = await store.selectUsers(db, filter).execute();
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  return {
    data: page.map(noteOf),
    // An id, since several users may share a time.
    meta: { next_cursor: last?.id ?? null, per_page },
  };
}

/** @throws {Refusal} 404 */
export async function get(db: Db, id: Id): Promise<UserDetail> {
  const user = await store.findUser(db, id);
  if (!user) throw notFound();
  const { pending_email, locale, identities, passkeys, open_exchanges, exchanges } = user;
  const has_password = user.password_hash !== null;
  const own = { pending_email, locale, has_password, identities, passkeys };
  return { ...noteOf(user), ...own, open_exchanges, exchanges };
}

function noteOf(user: store.UserRow): UserNote {
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    email_verified_at: user.email_verified_at?.toISOString() ?? null,
    role: user.role,
    permissions: user.permissions as UserNote['permissions'],
    two_factor_enabled: user.two_factor_at !== null,
    disabled_at: user.disabled_at?.toISOString() ?? null,
    last_seen_at: user.last_seen_at?.toISOString() ?? null,
    created_at: user.created_at.toISOString(),
  };
}
