/** `npm run seed`: fills a database without users as the first start does, and leaves any other alone. */
import { seed } from '../apps/api/src/seed.ts';
import { loadConfiguration } from './configuration.ts';
import { joinDatabase, migrateDatabase } from './database.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';
import { signIns } from './welcome.ts';

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const database = await joinDatabase(config, say);
  try {
    await migrateDatabase(database, say);
    const seeded = await seed({ ...config, databaseUrl: database.url }, say);
    if (seeded === null) say('There are users already; nothing was added.');
    else for (const line of signIns(config, seeded)) say(line);
  } finally {
    await database.stop();
  }
});
