/**
 * The real application on a real PostgreSQL, for one test file: with its own database and files, and a clock that tests
 * set. Requests use `inject`; `url()` listens on a free port.
 */
import { permissions } from '@cambist/contract/endpoint';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from '#app/app.ts';
import { readConfig, type Config } from '#app/config.ts';
import { openDeps } from '#app/open.ts';
import type { Db } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { jobsOf, type Feature } from '#platform/feature.ts';
import { openScheduler, type Scheduler } from '#platform/jobs/scheduler.ts';
import { hashPassword } from '#features/auth/password/passwords.ts';
import { Client, PASSWORD, type Json, type Person } from './client.ts';
import { testDatabase, type Cleanup } from './database.ts';

export interface TestClock {
  now(): Date;
  /** Stops the clock at this time. */
  set(time: Date): void;
  /** Advances the clock, which runs on from there. */
  advance(ms: number): void;
}

export interface TestOptions {
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: Partial<Config>;
  /** All features by default. */
  readonly features?: readonly Feature[];
  readonly log?: FastifyBaseLogger;
  /** Ten by default; one detects queries outside their transaction. */
  readonly poolSize?: number;
  /** The URL for the application, such as of a proxy; the test uses `databaseUrl`. */
  readonly wayTo?: (databaseUrl: string) => string | Promise<string>;
  /** Clients retry after 503, for many concurrent requests. */
  readonly patient?: true;
  /** Sheds load, as in production. */
  readonly shedsLoad?: true;
  /** Without any settings, so that payee accounts wait. */
  readonly untouched?: true;
  /** Runs the job workers; else jobs stay in their queue. */
  readonly jobs?: true;
}

export interface TestApi {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly clock: TestClock;
  readonly scheduler: Scheduler;
  /** Starts to listen at the first call. */
  url(): Promise<string>;
  /** Without cookies. */
  client(): Client;
  /** With a new member signed in, whose address is verified by default. */
  asMember(person?: Person): Promise<{ client: Client; user: Json }>;
  /** With a new admin signed in, with all permissions by default. */
  asAdmin(person?: Person): Promise<{ client: Client; user: Json }>;
}

const FRONTEND_URL = 'http://localhost:4000';
const APP_KEY = `base64:${Buffer.alloc(32, 7).toString('base64')}`;

export async function startTestApi(t: Cleanup, options: TestOptions = {}): Promise<TestApi> {
  const closing: (() => unknown)[] = [];
  t.after(async () => {
    for (const close of closing.toReversed()) await close();
  });
  const databaseUrl = await testDatabase({ after: (work) => void closing.push(work) });
  const dataDir = mkdtempSync(join(tmpdir(), 'cambist-api-'));
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const clock = newTestClock();
  const config = { ...readConfig({ ...testEnv(dataDir), ...options.env }), ...options.config };
  const { deps, close } = openDeps({
    config,
    databaseUrl: (await options.wayTo?.(databaseUrl)) ?? databaseUrl,
    clock: clock.now,
    poolSize: options.poolSize ?? 10,
    ...(options.log ? { log: options.log } : {}),
  });
  closing.push(close);
  if (!options.untouched) await coolNothing(deps.db);

  const features = options.features ?? (await import('#app/features.ts')).features;
  const app = await buildApp(deps, features, { shedsLoad: options.shedsLoad ?? false });
  closing.push(() => app.close());
  const tasks = features.flatMap((feature) => feature.tasks?.(deps) ?? []);
  if (options.jobs) {
    await deps.jobs.start(jobsOf(features, deps));
    closing.push(() => deps.jobs.stop());
  }
  const client = () => new Client(app, config.frontendUrl, { patient: options.patient ?? false });

  return {
    app,
    deps,
    db: deps.db,
    databaseUrl,
    clock,
    scheduler: openScheduler(deps, tasks),
    client,
    async url() {
      const { listening } = app.server;
      if (!listening) await app.listen({ host: '127.0.0.1', port: 0 });
      const address = app.server.address();
      if (address === null || typeof address === 'string') throw new Error('Not listening.');
      return `http://127.0.0.1:${address.port}`;
    },
    asMember: (person) => signUpMember(deps, client(), person),
    asAdmin: (person) => signInNewAdmin(deps.db, client(), person),
  };
}

/** As on a demo desk, so that a payee account can be used at once. */
async function coolNothing(db: Db): Promise<void> {
  await db
    .insertInto('settings')
    .values({
      slug: 'desk',
      value: { payee_cooling_hours: 0 },
      version: 1,
      saved_by: null,
      saved_by_name: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function signUpMember({ db, clock }: Deps, client: Client, person: Person = {}) {
  const user = await client.signUp(person);
  if (person.verified === false) return { client, user };
  const email_verified_at = clock();
  await db
    .updateTable('users')
    .set({ email_verified_at, verification_sent_at: null })
    .where('id', '=', user.id)
    .execute();
  return { client, user: { ...user, email_verified_at: email_verified_at.toISOString() } };
}

async function signInNewAdmin(db: Db, client: Client, person: Person = {}) {
  const email = person.email ?? `${randomUUID()}@example.com`;
  const password = person.password ?? PASSWORD;
  await db
    .insertInto('users')
    .values({
      id: randomUUID(),
      name: person.name ?? 'Robin Okafor',
      email,
      password_hash: await hashPassword(password),
      role: 'admin',
      email_verified_at: new Date(),
      permissions: [...(person.permissions ?? permissions)],
    })
    .execute();
  return { client, user: await client.signIn(email, password) };
}

function testEnv(dataDir: string): Record<string, string> {
  return {
    APP_ENV: 'local',
    APP_KEY,
    FRONTEND_URL,
    APP_URL: 'http://localhost:8000',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    THROTTLE_SCALE: '0',
  };
}

function newTestClock(): TestClock {
  let shiftMs = 0;
  let fixed: Date | null = null;
  return {
    now: () => new Date(fixed ?? Date.now() + shiftMs),
    set: (time) => (fixed = time),
    advance(ms) {
      if (fixed) fixed = new Date(fixed.getTime() + ms);
      else shiftMs += ms;
    },
  };
}
