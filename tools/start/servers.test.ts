import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  const { lines } = await startBoth(databaseUrl);
  // The line comes by a pipe of its own.
  for (let tries = 0; tries < 1000 && !lines.join('').includes('Not ready'); tries += 1)
    await sleep(20);
  assert.match(lines.join('\n'), /"level":"warn".*Not ready: the database is not migrated\./);
});

it('one of two API processes that is killed is started again, while the other one answers', async () => {
  const { address, lines } = await startBoth(await testDatabase({ after }), { API_PROCESSES: '2' });
  const processes = () =>
    readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
      .split(' ')
      .filter((pid) => pid !== '' && commandOf(pid).includes(API))
      .map(Number);
  const [first, ...others] = processes();
  assert.ok(first !== undefined && others.length === 1);
  process.kill(first, 'SIGKILL');
  // Its sockets are closed only after its memory is given back.
  while (existsSync(`/proc/${first}`)) await sleep(10);
  for (let asks = 0; asks < 20; asks += 1) {
    const { status } = await fetch(`${address}/health/live`, { headers: { connection: 'close' } });
    assert.equal(status, 200);
  }
  for (let tries = 0; tries < 1000 && !lines.join('').includes('answers again'); tries += 1)
    await sleep(50);
  assert.match(lines.join('\n'), /The API process [12] answers again\./);
  assert.equal(processes().length, 2);
});

/** Empty where it has ended. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

const API = join(ROOT, 'apps/api/src/main.ts');

/** The real API and a frontend that answers anything; resolves when both are ready. */
async function startBoth(databaseUrl: string, env: Readonly<Record<string, string>> = {}) {
  const webServer = join(folder, 'web.mjs');
  writeFileSync(
    webServer,
    `import { createServer } from 'node:http';
    createServer((_, answer) => answer.end()).listen(process.env.PORT, process.env.HOST);`,
  );
  const listen = `127.0.0.1:${await freePort()}`;
  const configuration = loadConfiguration({
    root: folder,
    env: {
      APP_KEY: `base64:${Buffer.alloc(32, 7).toString('base64')}`,
      DATA_DIR: join(folder, 'data'),
      API_LISTEN: listen,
      WEB_LISTEN: `127.0.0.1:${await freePort()}`,
      ...env,
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
    apiServer: API,
    webServer,
  });
  after(() => servers.stop());
  const late = sleep(20_000, 'late', { ref: false });
  const outcome = await Promise.race([servers.ready, late]);
  assert.notEqual(outcome, 'late', lines.join('\n'));
  return { address: `http://${listen}`, lines };
}
