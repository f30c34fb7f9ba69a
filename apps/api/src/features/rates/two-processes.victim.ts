/** A second process with a scheduler of its own, for a test that tells it what time it is. */
import { features } from '../../features.ts';
import { readConfig } from '../../config.ts';
import { openDeps } from '../../open.ts';
import { openScheduler } from '#platform/jobs/scheduler.ts';

const [databaseUrl = '', environment = '{}'] = process.argv.slice(2);
const config = readConfig(JSON.parse(environment) as Record<string, string>);
let now = new Date();
const { deps, close } = openDeps({ config, databaseUrl, clock: () => now, poolSize: 4 });
const scheduler = openScheduler(
  deps,
  features.flatMap((feature) => feature.tasks?.(deps) ?? []),
);

process.on('message', ({ time }: { time: number }) => {
  now = new Date(time);
  scheduler.tick().then(
    () => process.send?.({ ticked: time }),
    (error: unknown) => process.send?.({ failed: String(error) }),
  );
});
process.on('disconnect', () => void close());
process.send?.({ ready: true });
