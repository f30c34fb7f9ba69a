import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { thin } from './thinning.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
for (const unit of ['usd', 'eur']) await addCurrency(admin, unit);
const pairs = [await addPair(admin, 'usd', 'eur'), await addPair(admin, 'eur', 'usd')];
const now = new Date('2026-11-21T10:30:00Z');

async function history(pairId: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('pair_rates')
    .select('as_of')
    .where('pair_id', '=', pairId)
    .orderBy('as_of')
    .execute();
  return rows.map(({ as_of }) => as_of.toISOString().slice(0, 16));
}

describe('the history of rates', () => {
  it('stays whole for two days, then by the hour for a month, then by the day', async () => {
    await api.db.deleteFrom('pair_rates').execute();
    const given = {
      kept: [
        // The last of each day, in UTC.
        '2026-09-01T23:59',
        '2026-10-21T22:00',
        // The last of each hour, from the first whole day on.
        '2026-10-22T00:40',
        '2026-10-22T01:10',
        '2026-11-19T09:59',
        '2026-11-19T10:15',
        // Everything of the last two days.
        '2026-11-19T10:45',
        '2026-11-19T10:50',
        '2026-11-21T10:29',
      ],
      gone: [
        '2026-09-01T00:00',
        '2026-09-01T23:58',
        '2026-10-21T03:00',
        '2026-10-22T00:00',
        '2026-11-19T10:05',
      ],
    };
    const rows = pairs.flatMap(({ id }) =>
      [...given.kept, ...given.gone].map((time) => ({
        pair_id: id,
        mid_rate: '0.9',
        source: 'fixer',
        as_of: new Date(`${time}:00Z`),
        set_by: null,
      })),
    );
    await api.db.insertInto('pair_rates').values(rows).execute();
    assert.equal(await thin({ db: api.db, clock: () => now }), '10 thinned');
    for (const { id } of pairs) assert.deepEqual(await history(id), given.kept);
    assert.equal(await thin({ db: api.db, clock: () => now }), '0 thinned');
  });

  it('is thinned every night by the scheduler', async () => {
    await api.scheduler.tick(new Date('2026-11-22T03:43:00Z'));
    const run = await api.db
      .selectFrom('task_runs')
      .select(['outcome', 'detail'])
      .where('task', '=', 'thin-pair-rates')
      .executeTakeFirstOrThrow();
    assert.equal(run.outcome, 'done');
  });
});
