/** `npm run migrate`: brings the database up to date without starting anything else. */
import { loadConfiguration } from './configuration.ts';
import { joinDatabase, migrateDatabase } from './database.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const database = await joinDatabase(config, say);
  try {
    const applied = await migrateDatabase(database, say);
    say(applied === 0 ? 'The database is up to date.' : `Applied ${applied}.`);
  } finally {
    await database.stop();
  }
});
