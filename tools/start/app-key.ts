/**
 * The encryption key of a fresh installation. It is made only where nothing can
 * be lost by it: there is no `.env`, no key from elsewhere, and the database
 * holds nothing that another key has sealed.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { withPlainErrors } from '../plain-error.ts';
import { writePrivately } from '../private-file.ts';

/** Writes `.env` from `.env.example` with a fresh key. False when there is one already. */
export async function createEnvFile(root: string): Promise<boolean> {
  const path = join(root, '.env');
  if (existsSync(path)) return false;
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  const key = `base64:${randomBytes(32).toString('base64')}`;
  await withPlainErrors(path, () =>
    writePrivately(
      path,
      example.replace(/^APP_KEY=.*$/m, () => `APP_KEY=${key}`),
    ),
  );
  return true;
}

/** Whether any row holds a sealed value. Such columns are called `sealed` or end in `_sealed`. */
export async function holdsSealedValues(databaseUrl: string): Promise<boolean> {
  const sql = postgres({ ...connectionOptions(databaseUrl), max: 1, onnotice: () => {} });
  try {
    const columns = await sql<{ table_name: string; column_name: string }[]>`
      select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and column_name ~ '(^|_)sealed$'`;
    for (const { table_name, column_name } of columns) {
      const [row] = await sql`
        select from ${sql(table_name)} where ${sql(column_name)} is not null limit 1`;
      if (row !== undefined) return true;
    }
    return false;
  } finally {
    await sql.end({ timeout: 5 });
  }
}
