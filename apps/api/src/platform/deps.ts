/** The dependencies of features; each function takes the part it needs. */
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '../config.ts';
import type { Connections } from './db/connections.ts';
import type { DatabaseClock } from './db/database-clock.ts';
import type { Db, Sql, Tx } from './db/database.ts';
import type { Files } from './files/files.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Counters } from './security/counters.ts';
import type { Keys } from './security/keys.ts';
import type { Notices } from './cache/notices.ts';
import type { Published } from './cache/published.ts';

export interface Deps {
  readonly config: Config;
  /** The database's clock: `databaseClock.now`. */
  readonly clock: Clock;
  readonly databaseClock: DatabaseClock;
  readonly log: FastifyBaseLogger;
  readonly sql: Sql;
  readonly db: Db;
  /** The connections of `db`. */
  readonly connections: Pick<Connections, 'isStuck'>;
  /** Keys derived from APP_KEY; every use throws `MissingAppKey` when there is none. */
  readonly keys: Keys;
  /** For throttles. */
  readonly counters: Counters;
  /** Files under DATA_DIR. */
  readonly files: Files;
  /** Work after commit, at least once. */
  readonly jobs: Jobs;
  /** Cross-process notices by LISTEN and NOTIFY. */
  readonly notices: Notices;
  /** Cached public answers. */
  readonly published: Published;
  /** Paths of the site that must not be deleted, since visitors are sent there. */
  readonly pathsLedTo: (tx: Tx) => Promise<readonly string[]>;
}
