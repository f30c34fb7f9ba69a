import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { addCurrency, addPair } from '#test/desk.ts';
import { startTestApi } from '#test/harness.ts';
import { thinHistory } from './history.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
for (const unit of ['usd', 'eur']) await addCurrency(admin, unit);
const pairs = [await addPair(admin, 'usd', 'eur'), await addPair(admin, 'eur', 'usd')] as const;
const now = new Date('2026-11-21T10:30:00Z');

async function history(pairId: string): Promise<string[]> {
  const rows = await api.db
    .selectFrom('pair_rates')
    .select('in_force_from')
    .where('pair_id', '=', pairId)
    .orderBy('in_force_from')
    .execute();
  return rows.map(({ in_force_from }) => in_force_from.toISOString().slice(0, 16));
}

/** Rates of both pairs, with provider times that do not follow the order. */
async function write(times: readonly string[]): Promise<void> {
  const rows = pairs.flatMap(({ id }) =>
    times.map((time, index) => ({
      pair_id: id,
      mid_rate: '0.9',
      source: 'fixer',
      as_of: new Date(now.getTime() - index * MINUTE),
      in_force_from: new Date(`${time}:00Z`),
      set_by: null,
    })),
  );
  await api.db.insertInto('pair_rates').values(rows).execute();
}

describe('the history of rates', () => {
  it('stays whole for two days, then by the hour for a month, then by the day', async () => {
    await api.db.deleteFrom('pair_rates').execute();
    const given = {
      remaining: [
        // The last of each day, in UTC.
        '2026-09-01T23:59',
        '2026-10-21T22:00',
        // The last of each hour, from the first whole day on.
        '2026-10-22T00:40',
        '2026-10-22T01:10',
        '2026-11-19T09:59',
        // Everything of the last two days, whole hours of them.
        '2026-11-19T10:05',
        '2026-11-19T10:45',
        '2026-11-19T10:50',
        '2026-11-21T10:29',
      ],
      deleted: [
        '2026-09-01T00:00',
        '2026-09-01T23:58',
        '2026-10-21T03:00',
        '2026-10-22T00:00',
        '2026-11-19T09:05',
      ],
    };
    await write([...given.remaining, ...given.deleted]);
    assert.equal(await thinHistory({ db: api.db, clock: () => now }), '10 thinned');
    for (const { id } of pairs) assert.deepEqual(await history(id), given.remaining);
    assert.equal(await thinHistory({ db: api.db, clock: () => now }), '0 thinned');
  });

  it('is thinned after some weeks without the task', async () => {
    await api.db.deleteFrom('pair_rates').execute();
    await write(['2026-11-19T11:10', '2026-11-19T11:50', '2026-11-20T08:00']);
    assert.equal(await thinHistory({ db: api.db, clock: () => now }), '0 thinned');
    const later = new Date(now.getTime() + 20 * DAY);
    assert.equal(await thinHistory({ db: api.db, clock: () => later }), '2 thinned');
    assert.deepEqual(await history(pairs[0].id), ['2026-11-19T11:50', '2026-11-20T08:00']);
  });
});
