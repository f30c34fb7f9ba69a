/** The library is searched in times that do not grow with it. */
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '#test/database.ts';
import { checkSearches, type Searched } from '#test/factories/searched-lists.ts';
import { listMedia, selectListed, type ShownRow } from './store.ts';

const { db } = await openTestDatabase({ after });

it('few pictures are found by the index of words, however many others came since', async () => {
  await sql`
    insert into media (id, key, name, width, height, fallback_format, created_at)
    select gen_random_uuid(), lpad(n::text, 16, '0'),
      'Notes w' || n || case when n <= 3 then ' pangolin' else '' end, 1, 1, 'jpg',
      now() + make_interval(secs => n)
    from generate_series(1, 20000) as n`.execute(db);
  await sql`vacuum analyze media, media_files`.execute(db);
  const library: Searched<ShownRow> = {
    table: 'media',
    list: (ask) => listMedia(db, ask),
    select: (ask, areFew) => selectListed(db, ask, areFew),
    nameOf: ({ name }) => name,
  };
  await checkSearches(db, library, [
    ['zyzzyva', 0, undefined],
    ['notes pangol', 3, 'Notes w3 pangolin'],
    ['notes w', 51, 'Notes w20000'],
  ]);
});
