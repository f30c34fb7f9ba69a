/** `npm run config:cache`: makes `.env` what the service runs from, at its next start. */
import { relative } from 'node:path';
import { warnings } from '../apps/api/src/config.ts';
import { loadConfiguration, ROOT, writeCache } from './configuration.ts';
import { runCommand } from './plain-error.ts';

await runCommand(async () => {
  const files = { env: process.env };
  const path = await writeCache(files);
  const { config, notes } = loadConfiguration(files);
  for (const line of [...notes, ...warnings(config)]) process.stdout.write(`Note: ${line}\n`);
  process.stdout.write(
    `The configuration is cached in ${relative(ROOT, path)}; start again to use it.\n`,
  );
});
