/** Copies of an exchange in the database alone, for lists that are long or odd. */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** `changed` is a JSON object of columns for the copy numbered `n`, in SQL. */
export async function copyExchanges(
  db: Db,
  number: string,
  count: number,
  changed: string,
): Promise<void> {
  // Lateral: `(function()).*` would call it for each column.
  await sql`insert into exchanges
    select copy.*
    from exchanges e, generate_series(1, ${count}::int) n,
      jsonb_populate_record(e, jsonb_build_object(
        'id', gen_random_uuid(), 'quote_id', gen_random_uuid(),
        'number', regexp_replace(upper(substr(md5(e.number), 1, 3) || lpad(to_hex(n), 5, '0')), '(....)(....)', 'CX-\\1-\\2'),
        'created_at', date_trunc('milliseconds', e.created_at - n * interval '1 minute'))
        || ${sql.raw(changed)}) as copy
    where e.number = ${number}`.execute(db);
}
