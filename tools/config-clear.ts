/** `npm run config:clear`: removes the cached configuration; the next start caches `.env` anew. */
import { clearCache } from './configuration.ts';
import { runCommand } from './plain-error.ts';

await runCommand(async () => {
  const existed = clearCache({ env: process.env });
  process.stdout.write(
    existed
      ? 'The cached configuration is gone; the next start reads .env.\n'
      : 'There was no cached configuration.\n',
  );
});
