/**
 * Remembers in the database which build has prepared it last and for which role, so that a start with the same ones
 * needs one query. It loads little, since the launcher keeps it in memory.
 */
import { createHash } from 'node:crypto';
import postgres from 'postgres';
import { connectionOptions } from './platform/db/database-url.ts';

function markOf(build: string, databaseUrl: string): string {
  const { username } = connectionOptions(databaseUrl);
  return createHash('sha256')
    .update(`${build}\0${String(username)}`)
    .digest('hex');
}

async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...connectionOptions(url), max: 1, fetch_types: false });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** False also where the database does not answer, or the application's role may not read its tables. */
export async function isPrepared(build: string, databaseUrl: string): Promise<boolean> {
  try {
    const [row] = await withConnection(
      databaseUrl,
      (sql) => sql<{ mark: string | null; has_users: boolean }[]>`
        select obj_description(to_regclass('schema_migrations'), 'pg_class') as mark,
               exists (select from users) as has_users`,
    );
    return row?.has_users === true && row.mark === markOf(build, databaseUrl);
  } catch {
    return false;
  }
}

export async function markPrepared(
  build: string,
  { url, ownerUrl }: { url: string; ownerUrl: string },
): Promise<void> {
  const comment = `comment on table schema_migrations is '${markOf(build, url)}'`;
  await withConnection(ownerUrl, (sql) => sql.unsafe(comment));
}
