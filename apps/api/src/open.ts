/** Opens the dependencies of features, and closes them in reverse order. */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import { openConnections } from '#platform/db/connections.ts';
import { fixedClock, openDatabaseClock } from '#platform/db/database-clock.ts';
import { connect, openDatabase } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { openFiles } from '#platform/files/files.ts';
import { openJobs } from '#platform/jobs/jobs.ts';
import { openCounters } from '#platform/security/counters.ts';
import { openKeys } from '#platform/security/keys.ts';
import { openLog } from '#platform/log.ts';
import { openNotices } from '#platform/cache/notices.ts';
import { openPublished } from '#platform/cache/published.ts';
import { pathsLedTo } from '#features/content/settings/named-pages.ts';
import type { Config } from './config.ts';

export interface OpenDeps {
  readonly deps: Deps;
  /** Closes notices and the pool; the caller stops jobs and scheduler. */
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly config: Config;
  readonly databaseUrl: string;
  /** The database's clock by default. */
  readonly clock?: Clock;
  readonly log?: FastifyBaseLogger;
  readonly poolSize?: number;
}

const CLOSE_PATIENCE_SECONDS = 5;

export function openDeps(options: OpenOptions): OpenDeps {
  const { config, databaseUrl, clock: given, poolSize } = options;
  const log = options.log ?? openLog(config);
  const sql = connect(databaseUrl, poolSize);
  const connections = openConnections(sql);
  const notices = openNotices(sql, log);
  const db = openDatabase(sql, connections);
  const databaseClock = given === undefined ? openDatabaseClock(db) : fixedClock(given);
  const isShared = config.apiProcesses > 1;
  const counters = openCounters({ db, clock: databaseClock.now, notices, log, isShared });
  const deps: Deps = {
    config,
    clock: databaseClock.now,
    databaseClock,
    log,
    sql,
    db,
    connections,
    keys: openKeys(config.appKey),
    counters,
    files: openFiles(config.dataDir),
    jobs: openJobs({ sql, notices, log }),
    notices,
    published: openPublished(notices),
    pathsLedTo,
  };
  return {
    deps,
    async close() {
      counters.close();
      await notices.close();
      await sql.end({ timeout: CLOSE_PATIENCE_SECONDS });
    },
  };
}
