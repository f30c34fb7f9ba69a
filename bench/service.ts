/** The service with a demo desk of its own, as a bench asks it: on a database of its own, and without throttles unless it names them. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../apps/api/src/config.ts';
import { seed } from '../apps/api/src/seed.ts';
import { migrateDatabase } from '../tools/postgres/database.ts';
import { startPostgres } from '../tools/postgres/server.ts';
import { freePort } from '../tools/ports.ts';

export interface Service {
  readonly origin: string;
  readonly pid: number;
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export interface Database {
  readonly databaseUrl: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly config: ReturnType<typeof readConfig>;
  stop(): Promise<void>;
}

/** A migrated database without anything in it, for a bench of a feature’s own functions. */
export async function startDatabase(): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-bench-'));
  const server = await startPostgres({ dataDir, fsync: false });
  const variables = {
    APP_KEY: `base64:${Buffer.alloc(32, 1).toString('base64')}`,
    DATABASE_URL: server.url,
    DATA_DIR: dataDir,
    API_LISTEN: `127.0.0.1:${await freePort()}`,
    LOG_LEVEL: 'warn',
    THROTTLE_SCALE: '0',
  };
  const stopDatabase = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const config = readConfig(variables);
  try {
    await migrateDatabase(server);
    return { databaseUrl: server.ownerUrl, variables, config, stop: stopDatabase };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

/** `changesFor`: variables of the service that differ from a bench's usual ones, made from its database's address. */
export async function startService(
  changesFor: (databaseUrl: string) => Promise<Readonly<Record<string, string>>> = async () => ({}),
): Promise<Service> {
  const { databaseUrl, variables, config, stop: stopDatabase } = await startDatabase();
  try {
    await seed(config, () => undefined);
    const api = fork(new URL('../apps/api/src/main.ts', import.meta.url), {
      env: {
        ...process.env,
        ...variables,
        NODE_ENV: 'production',
        ...(await changesFor(config.databaseUrl ?? '')),
      },
    });
    await message(api);
    return {
      origin: `http://${variables['API_LISTEN']}`,
      pid: api.pid ?? 0,
      databaseUrl,
      async stop() {
        api.disconnect();
        await new Promise((resolve) => api.once('exit', resolve));
        await stopDatabase();
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

/** The first message of a child: each says so once it is ready. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (value) => resolve(value as T));
    child.once('exit', (code) => reject(new Error(`A server ended with ${code}.`)));
  });
}
