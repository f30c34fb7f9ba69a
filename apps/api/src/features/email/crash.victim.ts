/** A process that sends emails, for a test that kills it. */
import { readConfig } from '../../config.ts';
import { openDeps } from '../../open.ts';
import { jobsOf } from '#platform/feature.ts';
import { email } from './routes.ts';

const [databaseUrl = '', environment = '{}'] = process.argv.slice(2);
const config = readConfig(JSON.parse(environment) as Record<string, string>);
const { deps } = openDeps({ config, databaseUrl, poolSize: 4 });
await deps.jobs.start(jobsOf([email], deps));
process.send?.({ ready: true });
