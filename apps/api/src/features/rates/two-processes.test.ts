/** Two processes on one database: one run per hour and one request per provider. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { addCurrency } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { startRateProviders } from '#test/fakes/rate-providers.ts';

const fakes = await startRateProviders({ after });
const logged: string[] = [];
const log = pino(
  { level: 'debug' },
  new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  }),
);
const api = await startTestApi({ after }, { env: fakes.environment, log });
const START = Date.UTC(2026, 2, 14, 9);
fakes.clock = api.clock.now;

const { appKey, dataDir, frontendUrl } = api.deps.config;
const environment = {
  APP_KEY: `base64:${appKey?.toString('base64')}`,
  DATA_DIR: dataDir,
  FRONTEND_URL: frontendUrl,
  LOG_LEVEL: 'silent',
  ...fakes.environment,
};
const other = fork(join(import.meta.dirname, 'two-processes.victim.ts'), [
  api.databaseUrl,
  JSON.stringify(environment),
]);
after(() => other.kill('SIGKILL'));
await once(other, 'message');

/** The other process runs its scheduler at this process's time. */
async function otherTicks(): Promise<void> {
  other.send({ time: api.clock.now().getTime() });
  const [answer] = (await once(other, 'message')) as [{ failed?: string }];
  assert.equal(answer.failed, undefined);
}

api.clock.set(new Date(START - MINUTE));
const { client: admin } = await api.asAdmin();
await addCurrency(admin, 'eur');
await addCurrency(admin, 'usd');
const { version, value } = (await admin.get('/api/admin/settings/rate-api')).body.data;
const providers = [{ name: 'fixer', feed: 'hourly', monthly_quota: null, cadence_hours: 1 }];
await admin.put('/api/admin/settings/rate-api', {
  version,
  value: { ...value, enabled: true, providers },
});
await admin.put('/api/admin/settings/rate-api/secrets/fixer_key', { secret: fakes.fixer.key });

it('make three runs in three hours, not six', async () => {
  for (let minute = 0; minute < 180; minute += 1) {
    api.clock.set(new Date(START + minute * MINUTE + ((minute * 7) % 59) * SECOND));
    await Promise.all([api.scheduler.tick(), otherTicks()]);
  }
  const runs = await api.db.selectFrom('rate_runs').selectAll().orderBy('started_at').execute();
  assert.deepEqual(
    runs.map(({ started_at, trigger, outcome }) => [
      Math.floor((started_at.getTime() - START) / HOUR),
      trigger,
      outcome,
    ]),
    [0, 1, 2].map((hour) => [hour, 'schedule', 'updated']),
  );
  assert.equal(fakes.fixer.requests.length, 3);
  const slots = await api.db
    .selectFrom('task_runs')
    .select(['outcome', 'detail'])
    .where('task', '=', 'rates-sync')
    .execute();
  assert.deepEqual(
    slots,
    Array.from({ length: 3 }, () => ({
      outcome: 'done' as const,
      detail: 'updated: 1 accepted, 0 in quarantine, 0 rejected, 0 missing',
    })),
  );
});

it('run one at a time, and again after one was killed during its run', async () => {
  api.clock.set(new Date(START + 3 * HOUR));
  fakes.fixer.mood = 'hanging';
  // A new sign-in, since the admin's session has expired after three hours.
  const { client: operator } = await api.asAdmin();
  const before = fakes.fixer.requests.length;
  other.send({ time: api.clock.now().getTime() });
  while (fakes.fixer.requests.length === before) await sleep(10);
  assert.equal((await operator.post('/api/admin/rates/runs')).body.code, 'run_in_progress');
  const died = once(other, 'exit');
  other.kill('SIGKILL');
  await died;
  fakes.fixer.mood = 'well';
  assert.equal((await operator.post('/api/admin/rates/runs')).body.code, 'run_in_progress');
  api.clock.advance(5 * MINUTE + SECOND);
  assert.equal((await operator.post('/api/admin/rates/runs')).status, 201);
  const lost = await api.db
    .selectFrom('rate_runs')
    .select(['outcome', 'attempts'])
    .where('outcome', '=', 'failed')
    .execute();
  assert.deepEqual(lost, [{ outcome: 'failed', attempts: [] }]);
});

it('log the outcome of a run without a key', () => {
  const text = logged.join('');
  assert.match(text, /Rates were synchronised/);
  assert.ok(!text.includes(fakes.fixer.key));
});
