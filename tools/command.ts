/** The commands on a desk's database and configuration; all of them work beside a running Cambist. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import type { Config } from '../apps/api/src/config.ts';
import { clearCache, loadConfiguration, notesOn, ROOT, writeCache } from './configuration.ts';
import { databaseUrls, migrateDatabase, withDatabase } from './postgres/database.ts';
import { interruption } from './interruption.ts';
import { PlainError, runCommand } from './plain-error.ts';
import { signIns } from './start/welcome.ts';

const files = { env: process.env };
const say = (line: string) => process.stdout.write(`${line}\n`);

type Command = (config: () => Config) => Promise<number | void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  migrate: (config) =>
    withDatabase(config(), async (urls) => {
      const applied = await migrateDatabase(urls, say);
      say(applied === 0 ? 'The database is up to date.' : `Applied ${applied}.`);
    }),

  seed: (config) =>
    withDatabase(config(), async (urls) => {
      await migrateDatabase(urls, say);
      const { seed } = await import('../apps/api/src/seed.ts');
      const seeded = await seed({ ...config(), databaseUrl: urls.url }, say);
      if (seeded === null) say('There are users already; nothing was added.');
      else signIns(config(), seeded).forEach(say);
    }),

  /** Reads the whole ledger. Ends with 1 when it differs from itself or from the open exchanges. */
  reconcile: (config) =>
    withDatabase(config(), async ({ url }) => {
      const { reconcileDatabase } = await import('../apps/api/src/reconcile.ts');
      const { at, balanced, differences } = await reconcileDatabase(url);
      for (const { currency, what, account, exchange_number, expected, found } of differences) {
        const number = exchange_number === null ? '' : ` ${exchange_number}`;
        const where = number + (account === null ? '' : ` of ${account}`);
        say(`${currency}: the ${what}${where} should be ${expected}, but is ${found}`);
      }
      say(
        `${balanced ? 'The whole ledger is balanced' : `${differences.length} differences in the whole ledger`}, at ${at}.`,
      );
      return balanced ? 0 : 1;
    }),

  /** One tick, for a system timer; the running API ticks by itself, and each task runs once. */
  'schedule:run': (config) =>
    withDatabase(config(), async ({ url }) => {
      const { features } = await import('../apps/api/src/features.ts');
      const { openDeps } = await import('../apps/api/src/open.ts');
      const { tickOnce } = await import('../apps/api/src/platform/jobs/scheduler.ts');
      const { deps, close } = openDeps({ config: config(), databaseUrl: url, poolSize: 2 });
      try {
        const tasks = features.flatMap((feature) => feature.tasks?.(deps) ?? []);
        await tickOnce(deps, tasks, interruption());
      } finally {
        await close();
      }
    }),

  'database:url': async (config) => {
    const args = process.argv.slice(3);
    const { values } = parseArgs({ args, options: { owner: { type: 'boolean', default: false } } });
    const urls = databaseUrls(config());
    if (urls === null) throw new PlainError('There is no database yet; "npm start" makes it.');
    say(values.owner ? urls.ownerUrl : urls.url);
  },

  'config:cache': async () => {
    const path = await writeCache(files);
    notesOn(loadConfiguration(files)).forEach(say);
    say(`The configuration is cached in ${relative(ROOT, path)}; start again to use it.`);
  },

  'config:clear': async () => {
    say(
      clearCache(files)
        ? 'The cached configuration is gone; the next start reads .env.'
        : 'There was no cached configuration.',
    );
  },
};

await runCommand(async () => {
  const name = process.argv[2] ?? '';
  const command = COMMANDS[name];
  if (command === undefined) throw new PlainError(`There is no command "${name}".`);
  return command(() => loadConfiguration(files).config);
});
