/**
 * `npm run --silent database:url`: the address of the database, with its
 * password, for PostgreSQL's own tools: `pg_dump "$(npm run --silent database:url)"`.
 */
import { loadConfiguration } from './configuration.ts';
import { embeddedUrl } from './embedded-postgres.ts';
import { PlainError, runCommand } from './plain-error.ts';

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const url = config.databaseUrl ?? embeddedUrl(config.dataDir);
  if (url === null) throw new PlainError('There is no database yet; "npm start" makes it.');
  process.stdout.write(`${url}\n`);
});
