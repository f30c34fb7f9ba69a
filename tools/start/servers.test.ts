import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { connectionOptions } from '../../apps/api/src/platform/db/database-url.ts';
import { testDatabase } from '../../apps/api/test/database.ts';
import { loadConfiguration, ROOT } from '../configuration.ts';
import { freePort } from '../ports.ts';
import { startServers } from './servers.ts';

const folder = mkdtempSync(join(tmpdir(), 'cambist-servers-'));
after(() => rmSync(folder, { recursive: true, force: true }));

it('servers that answer are started, also where the API is not ready, and it is said why', async () => {
  const databaseUrl = await testDatabase({ after });
  // A disk cannot be filled here; a database that is behind makes the API as little ready.
  const sql = postgres({ ...connectionOptions(databaseUrl), max: 1 });
  await sql`delete from schema_migrations where name like '03%'`;
  await sql.end();
  const webServer = join(folder, 'web.mjs');
  writeFileSync(
    webServer,
    `import { createServer } from 'node:http';
    createServer((_, answer) => answer.end()).listen(process.env.PORT, process.env.HOST);`,
  );
  const configuration = loadConfiguration({
    root: folder,
    env: {
      APP_KEY: `base64:${Buffer.alloc(32, 7).toString('base64')}`,
      DATA_DIR: join(folder, 'data'),
      API_LISTEN: `127.0.0.1:${await freePort()}`,
      WEB_LISTEN: `127.0.0.1:${await freePort()}`,
    },
  });
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  const servers = startServers({
    configuration,
    databaseUrl,
    prepared: Promise.resolve(),
    built: Promise.resolve(),
    onLine: say,
    say,
    apiServer: join(ROOT, 'apps/api/src/main.ts'),
    webServer,
  });
  after(() => servers.stop());
  const late = sleep(20_000, 'late', { ref: false });
  const outcome = await Promise.race([servers.ready, late]);
  assert.notEqual(outcome, 'late', lines.join('\n'));
  // The line comes by a pipe of its own.
  for (let tries = 0; tries < 50 && !lines.join('').includes('Not ready'); tries += 1)
    await sleep(20);
  assert.match(lines.join('\n'), /"level":"warn".*Not ready: the database is not migrated\./);
});
