/**
 * `npm run --silent database:url`: the address of the database as the application's role, with
 * its password, for PostgreSQL's own tools: `pg_dump "$(npm run --silent database:url)"`.
 * With `-- --owner` as the owner of the tables, for restores.
 */
import { parseArgs } from 'node:util';
import { loadConfiguration } from './configuration.ts';
import { databaseUrls } from './database.ts';
import { PlainError, runCommand } from './plain-error.ts';

await runCommand(async () => {
  const { values } = parseArgs({ options: { owner: { type: 'boolean', default: false } } });
  const { config } = loadConfiguration({ env: process.env });
  const urls = databaseUrls(config);
  if (urls === null) throw new PlainError('There is no database yet; "npm start" makes it.');
  process.stdout.write(`${values.owner ? urls.ownerUrl : urls.url}\n`);
});
