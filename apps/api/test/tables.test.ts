/** The types of the tables are those of the migrations. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, it } from 'node:test';
import { openTestDatabase } from './database.ts';
import { TABLE_TYPES, tableTypes } from './table-types.ts';

const { sql } = await openTestDatabase({ after });

it('tables.generated.ts is what `npm run tables` makes of the migrations', async () => {
  const types = await tableTypes(sql);
  assert.equal(await readFile(TABLE_TYPES, 'utf8'), types, 'Run `npm run tables`.');
});

it('the union of a column of text is the one that its check allows', async () => {
  const types = await tableTypes(sql);
  assert.match(types, /\n {2}kind: "bank" \| "card" \| "cash" \| "chain" \| "wallet";\n/);
  assert.match(types, /\n {2}role: Generated<"admin" \| "user">;\n/);
});
