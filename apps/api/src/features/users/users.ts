/** People as the console shows them. */
import type { UserDetail, UserNote, listUsers } from '@cambist/contract/users';
import type { QueryOf, ReplyOf } from '@cambist/contract/endpoint';
import type { Id } from '#kernel/id.ts';
import { invalid, notFound } from '#kernel/refusal.ts';
import type { Db } from '#platform/db/database.ts';
import * as store from './store.ts';

const PER_PAGE = 25;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** One page; a search goes through the index of the beginnings of words. @throws {Refusal} 422 on `cursor` */
export async function list(
  db: Db,
  { q = '', role, state, cursor, per_page = PER_PAGE }: QueryOf<typeof listUsers>,
): Promise<ReplyOf<typeof listUsers>> {
  if (cursor !== undefined && !UUID.test(cursor)) {
    throw invalid({ cursor: 'The cursor format is invalid.' });
  }
  const ask = { words: q.trim(), role, state, after: cursor, limit: per_page + 1 };
  const rows = await store.selectPeople(db, ask).execute();
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  return {
    data: page.map(noteOf),
    // The list's place is a person, since times alone could be shared.
    meta: { next_cursor: last?.id ?? null, per_page },
  };
}

/** @throws {Refusal} 404 */
export async function get(db: Db, id: Id): Promise<UserDetail> {
  const person = await store.findPerson(db, id);
  if (!person) throw notFound();
  return {
    ...noteOf(person),
    pending_email: person.pending_email,
    locale: person.locale,
    has_password: person.password_hash !== null,
    identities: person.identities,
    passkeys: person.passkeys,
    open_exchanges: person.open_exchanges,
    exchanges: person.exchanges,
  };
}

function noteOf(person: store.PersonRow): UserNote {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    email_verified_at: person.email_verified_at?.toISOString() ?? null,
    role: person.role,
    permissions: person.permissions as UserNote['permissions'],
    two_factor_enabled: person.two_factor_at !== null,
    disabled_at: person.disabled_at?.toISOString() ?? null,
    last_seen_at: person.last_seen_at?.toISOString() ?? null,
    created_at: person.created_at.toISOString(),
  };
}
