/** `npm run tables`: writes the types of all tables, from a throw-away database with the migrations. */
import { writeFile } from 'node:fs/promises';
import { openTestDatabase } from '../apps/api/test/database.ts';
import { TABLE_TYPES, tableTypes } from '../apps/api/test/table-types.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

await runCommand(async () => {
  const closing: (() => unknown)[] = [];
  try {
    const { sql } = await openTestDatabase({ after: (work) => closing.unshift(work) });
    await writeFile(TABLE_TYPES, await tableTypes(sql));
  } finally {
    for (const work of closing) await work();
  }
  say(`Wrote ${TABLE_TYPES}.`);
});
