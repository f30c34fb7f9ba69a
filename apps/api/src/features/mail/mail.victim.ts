/** A process that sends letters, for a test that kills it. */
import { readConfig } from '../../config.ts';
import { openDeps } from '../../open.ts';
import { jobsOf } from '#platform/feature.ts';
import { mail } from './routes.ts';

const [databaseUrl = '', environment = '{}'] = process.argv.slice(2);
const config = readConfig(JSON.parse(environment) as Record<string, string>);
const { deps } = openDeps({ config, databaseUrl, poolSize: 4 });
await deps.jobs.start(jobsOf([mail], deps));
process.send?.({ ready: true });
