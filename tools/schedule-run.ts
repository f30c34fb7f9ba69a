/**
 * `npm run schedule:run`: one tick of the scheduler, for a system timer that
 * fires every minute. The running API ticks by itself; whoever comes second to a
 * task's minute leaves it alone.
 */
import { features } from '../apps/api/src/features.ts';
import { openDeps } from '../apps/api/src/open.ts';
import { tickOnce } from '../apps/api/src/platform/scheduler.ts';
import { loadConfiguration } from './configuration.ts';
import { joinDatabase } from './database.ts';
import { runCommand } from './plain-error.ts';
import { say } from './progress.ts';

const stopping = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stopping.abort());

await runCommand(async () => {
  const { config } = loadConfiguration({ env: process.env });
  const database = await joinDatabase(config, say);
  try {
    const { deps, close } = openDeps({ config, databaseUrl: database.url, poolSize: 2 });
    try {
      await tickOnce(
        deps,
        features.flatMap((feature) => feature.tasks?.(deps) ?? []),
        stopping.signal,
      );
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
});
