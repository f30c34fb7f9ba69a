/**
 * What `npm start` does to a database before the service starts: migrations, `.env` with its key,
 * the first data. A process of its own, so that what it loads is not held while Cambist runs. The
 * sign-ins of new data go back to the launcher.
 */
import { existsSync } from 'node:fs';
import type { Config } from '../apps/api/src/config.ts';
import { hasUsers, requireForFirstStart } from '../apps/api/src/first-start.ts';
import { markPrepared } from '../apps/api/src/prepared.ts';
import type { Seeded } from '../apps/api/src/seed.ts';
import { apiBuild } from './api-build.ts';
import { buildName } from './build-folder.ts';
import { createEnvFile, holdsSealedValues } from './start/app-key.ts';
import { cachePath, loadConfiguration, notesOn, ROOT, writeCache } from './configuration.ts';
import { databaseUrls, demoFolder, migrateDatabase, requireAnswer } from './postgres/database.ts';
import { PlainError, runCommand } from './plain-error.ts';

const files = { env: process.env };

export interface Message {
  /** What is happening, for people. */
  line?: string;
  seeded?: Seeded;
}

const send = (message: Message) => process.send?.(message);
const say = (line: string) => send({ line });

await runCommand(async () => {
  const { config: before } = loadConfiguration(files);
  const urls = databaseUrls(before);
  if (urls === null) throw new PlainError('There is no database to prepare.');
  await requireAnswer('DATABASE_URL', urls.url);
  await requireAnswer('DATABASE_OWNER_URL', urls.ownerUrl);
  await requireForFirstStart(before, urls.url);
  // Before, so that no later source counts.
  const build = buildName(apiBuild);
  await migrateDatabase(urls, say, demoFolder(before));
  const config = await configure(before.appKey === null, urls.url);
  if (!(await hasUsers(urls.url))) await fill({ ...config, databaseUrl: urls.url });
  await markPrepared(build, urls);
});

async function fill(config: Config): Promise<void> {
  // Loads the whole application, which only a first start has a use for.
  const { seed } = await import('../apps/api/src/seed.ts');
  const seeded = await seed(config, say);
  if (seeded !== null) send({ seeded });
}

/** Makes `.env`, its key and the cache where they are missing, and says what to know about them. */
async function configure(isKeyless: boolean, databaseUrl: string) {
  if (isKeyless && !(await holdsSealedValues(databaseUrl)) && (await createEnvFile(ROOT))) {
    say('.env is new, with a fresh APP_KEY.');
    await writeCache(files);
  }
  if (!existsSync(cachePath(files))) await writeCache(files);
  const configuration = loadConfiguration(files);
  for (const note of notesOn(configuration)) say(note);
  return configuration.config;
}
