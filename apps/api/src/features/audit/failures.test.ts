/** Failures of guests in the audit log, which are limited. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';
import { openFailureCount, record } from './audit.ts';

const api = await startTestApi({ after });
const rowsOf = async (ip: string) =>
  (
    await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('ip', '=', ip)
      .where('action', '=', 'auth.signin_failed')
      .execute()
  ).length;

describe('failed sign-ins', () => {
  it('are ten rows for a network in a minute, also in transactions', async () => {
    const origin = { ip: '203.0.113.3', requestId: 'x' };
    for (let tried = 0; tried < 12; tried += 1) {
      await transaction(api.db, (tx) =>
        record(tx, { actor: null, origin, action: 'auth.signin_failed' }),
      );
    }
    assert.equal(await rowsOf(origin.ip), 10);
  });

  it('are counted beyond, and the count stands in the next row', () => {
    const count = openFailureCount();
    const taken = (at: number, times: number) =>
      Array.from({ length: times }, () => count.take('a network', at));
    assert.deepEqual(taken(0, 13), [...Array.from({ length: 10 }, () => 0), null, null, null]);
    assert.deepEqual(taken(MINUTE - 1, 1), [null]);
    assert.deepEqual(taken(MINUTE, 2), [4, 0]);
    assert.equal(count.take('another', 0), 0);
  });
});
