/** Deadlines follow the database's clock, and two schedulers end each overdue exchange once. */
import assert from 'node:assert/strict';
import { after, describe, it, mock } from 'node:test';
import { sql } from 'kysely';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import {
  balances,
  claimed,
  create,
  createBody,
  deskPath,
  eventsOf,
  passPayBy,
  quote,
  startTestDesk,
  submit,
  upload,
} from '#test/factories/exchange.ts';
import { endOverdue } from './end-unpaid.ts';
import { openContext } from '../context.ts';

const { api, admin } = await startTestDesk({ after });
const fresh = async () => (await api.asMember()).client;

/** Runs `work` with a wrong clock of the machine and `deps.clock`; earlier sessions remain valid. */
async function withProcessClock(offMs: number, work: () => Promise<void>): Promise<void> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + offMs });
  try {
    await work();
  } finally {
    mock.timers.reset();
  }
}

describe('a process whose clock is 90 minutes ahead of the database’s', () => {
  it('accepts a submission and a quote by the database’s clock, and expires nothing', async () => {
    const client = await fresh();
    const waiting = await create(client);
    const paid = await create(client);
    await upload(client, paid.number);
    const { token } = await quote(client);
    await withProcessClock(90 * MINUTE, async () => {
      const { expired, submitted, failed } = await endOverdue(await openContext(api.deps));
      assert.deepEqual({ expired, submitted, failed }, { expired: 0, submitted: 0, failed: 0 });
      assert.equal((await submit(client, paid)).state, 'payment_submitted');
      const late = await client.post('/api/exchanges', createBody(token), { key: true });
      assert.equal(late.status, 201, late.text);
    });
    assert.deepEqual(
      (await eventsOf(api, waiting.number)).map(({ action }) => action),
      ['create'],
    );
  });

  it('keeps a claim valid by the database’s clock', async () => {
    const { exchange } = await claimed(api, admin);
    const { client: second } = await api.asAdmin();
    await withProcessClock(25 * MINUTE, async () => {
      const { number, version } = exchange;
      const taken = await second.post(deskPath(number, '/claim'), { version });
      assert.deepEqual([taken.status, taken.body.code], [409, 'already_claimed']);
    });
  });
});

describe('a process whose clock is a day behind the database’s', () => {
  it('refuses a submission after the time to pay, and ends overdue exchanges', async () => {
    const client = await fresh();
    const overdue = await create(client);
    await passPayBy(api, overdue.number);
    await withProcessClock(-24 * HOUR, async () => {
      const { number, version } = overdue;
      const body = { version, payment_reference: 'X1' };
      const late = await client.post(`/api/exchanges/${number}/submission`, body, { key: true });
      assert.equal(late.status, 409, late.text);
      assert.equal((await endOverdue(await openContext(api.deps))).expired, 1);
    });
  });
});

describe('two schedulers over the same overdue exchanges', () => {
  async function overdueOnes(count: number): Promise<string[]> {
    const numbers: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { number }: Json = await create(await fresh());
      await passPayBy(api, number);
      numbers.push(number);
    }
    return numbers;
  }

  it('lock each exchange first, so that each ends once and neither fails', async () => {
    const numbers = await overdueOnes(12);
    const before = await balances(api);
    const work = await openContext(api.deps);
    const ends = await Promise.all([1, 2, 3].map(() => endOverdue(work)));
    const sum = (of: 'expired' | 'submitted' | 'failed') =>
      ends.reduce((total, end) => total + end[of], 0);
    assert.deepEqual([sum('expired'), sum('submitted'), sum('failed')], [12, 0, 0]);
    for (const number of numbers) {
      const events = await eventsOf(api, number);
      assert.deepEqual(
        events.map(({ action }) => action),
        ['create', 'expire'],
        number,
      );
    }
    const released = 12n * 9108n;
    assert.equal((await balances(api))['eur held'] ?? 0n, (before['eur held'] ?? 0n) - released);
  });

  it('skip a locked exchange without waiting', async () => {
    const [busy = '', free = ''] = await overdueOnes(2);
    const work = await openContext(api.deps);
    await transaction(api.db, async (tx) => {
      await sql`select from exchanges where number = ${busy} for update`.execute(tx);
      const { expired, failed } = await endOverdue(work);
      assert.deepEqual({ expired, failed }, { expired: 1, failed: 0 });
    });
    assert.deepEqual(
      (await eventsOf(api, free)).map(({ action }) => action),
      ['create', 'expire'],
    );
    assert.equal((await endOverdue(work)).expired, 1, 'the other one, in the next minute');
  });
});
