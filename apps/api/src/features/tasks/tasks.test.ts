import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { features } from '#app/features.ts';
import type { Feature } from '#platform/feature.ts';

const held = { release: () => {}, wait: Promise.resolve() };
/** Beside the application's own tasks: one that waits until it is let go, one that fails. */
const trial: Feature = {
  name: 'trial',
  tasks: () => [
    { name: 'slow-trial', cron: '30 2 * * *', run: () => held.wait },
    {
      name: 'failing-trial',
      cron: '30 2 * * *',
      run: () => Promise.reject(new TypeError('the provider is down')),
    },
  ],
};

const api = await startTestApi({ after }, { jobs: true, features: [...features, trial] });
const { client: admin } = await api.asAdmin({ name: 'Robin Okafor' });
const URL = '/api/admin/tasks';

const task = async (name: string) =>
  (await admin.get(URL)).body.data.find((each: Json) => each.name === name);

async function eventually<T>(check: () => Promise<T | null>): Promise<T> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await check();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It did not come.');
}

const finishedRun = (name: string) =>
  eventually(async () => {
    const [run] = (await task(name)).runs;
    return run?.finished_at ? run : null;
  });

describe('GET /api/admin/tasks', () => {
  it('names every task with its pattern, its next moment and its last runs', async () => {
    api.clock.set(new Date('2026-03-14T12:00:30Z'));
    const names = (await admin.get(URL)).body.data.map(({ name }: Json) => name);
    for (const name of ['rates-sync', 'delete-old-emails', 'forget-task-runs'])
      assert.ok(names.includes(name), name);
    const sync = await task('rates-sync');
    assert.deepEqual([sync.cron, sync.next_slot], ['0 * * * *', '2026-03-14T13:00:00.000Z']);
    assert.deepEqual(sync.runs, []);
    await api.scheduler.tick(api.clock.now());
    const [run] = (await task('rates-sync')).runs;
    assert.equal(run.slot, '2026-03-14T12:00:00.000Z');
    assert.deepEqual(
      [run.outcome, run.detail, run.asked_by],
      ['done', 'Switched off in the settings.', null],
    );
    for (let hour = 13; hour < 25; hour += 1) {
      api.clock.advance(60 * 60 * 1000);
      await api.scheduler.tick(api.clock.now());
    }
    assert.equal((await task('rates-sync')).runs.length, 10);
  });

  it('is for admins with the permission settings', async () => {
    assert.equal((await api.client().get(URL)).status, 401);
    const { client: member } = await api.asMember();
    assert.equal((await member.get(URL)).status, 403);
    const { client: other } = await api.asAdmin({ permissions: ['money'] });
    assert.equal((await other.get(URL)).status, 403);
  });
});

describe('POST /api/admin/tasks/{name}/runs', () => {
  it('runs a task behind its answer, says who asked, and one at a time', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(held, { wait: promise, release: resolve });
    const answers = await Promise.all([1, 2].map(() => admin.post(`${URL}/slow-trial/runs`)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 409]);
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(refused?.body.code, 'task_running');
    const [running] = (await task('slow-trial')).runs;
    assert.deepEqual([running.outcome, running.asked_by], [null, 'Robin Okafor']);
    held.release();
    assert.equal((await finishedRun('slow-trial')).outcome, 'done');
    const events = await api.db
      .selectFrom('audit_events')
      .select(['action', 'subject_id'])
      .where('action', '=', 'task.run')
      .execute();
    assert.deepEqual(events, [{ action: 'task.run', subject_id: 'slow-trial' }]);
    api.clock.advance(1000);
    assert.equal((await admin.post(`${URL}/slow-trial/runs`)).status, 202);
    assert.equal((await finishedRun('slow-trial')).outcome, 'done');
  });

  it('tells a failure, and does not try again by itself', async () => {
    assert.equal((await admin.post(`${URL}/failing-trial/runs`)).status, 202);
    const run = await finishedRun('failing-trial');
    assert.deepEqual([run.outcome, run.detail], ['failed', 'TypeError: the provider is down']);
  });

  it('lets a run of the rates say who asked for it', async () => {
    const settings = '/api/admin/settings/rate-api';
    const { version, value } = (await admin.get(settings)).body.data;
    const providers = [{ name: 'fixer', feed: 'daily', monthly_quota: 100, cadence_hours: 8 }];
    const on = { ...value, enabled: true, providers };
    assert.equal((await admin.put(settings, { version, value: on })).status, 200);
    api.clock.advance(1000);
    assert.equal((await admin.post(`${URL}/rates-sync/runs`)).status, 202);
    assert.match((await finishedRun('rates-sync')).detail, /^skipped: /);
    api.clock.advance(60 * 60 * 1000);
    await api.scheduler.tick(api.clock.now());
    const { data } = (await admin.get('/api/admin/rates/runs')).body;
    assert.deepEqual(
      data.map(({ trigger, actor }: Json) => [trigger, actor]),
      [
        ['schedule', null],
        ['admin', 'Robin Okafor'],
      ],
    );
  });

  it('knows no other names', async () => {
    assert.equal((await admin.post(`${URL}/no-such-task/runs`)).status, 404);
    assert.equal((await admin.post(`${URL}/No..Name/runs`)).status, 404);
  });
});
