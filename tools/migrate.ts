/** `npm run migrate`: brings the database up to date without starting anything else. */
import { migrate } from '../apps/api/src/migrate.ts';
import { loadConfiguration } from './configuration.ts';
import { joinDatabase } from './database.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const database = await joinDatabase(config, say);
  try {
    const applied = await migrate(database.url, say);
    say(applied === 0 ? 'The database is up to date.' : `Applied ${applied}.`);
  } finally {
    await database.stop();
  }
});
