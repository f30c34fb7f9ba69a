/** Failures of guests in the audit log, which are limited. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import { startTestApi } from '#test/harness.ts';
import { openFailureCount } from './audit.ts';
import { record } from './audit.ts';

const api = await startTestApi({ after });
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
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
  it('are ten rows for a network in a minute, by password and by passkey together', async () => {
    const client = api.client();
    for (let tried = 0; tried < 8; tried += 1) {
      const body = { email: `${randomUUID()}@example.com`, password: 'wrong wrong' };
      const answer = await client.post('/api/auth/signin', body, from('203.0.113.1'));
      assert.equal(answer.status, 422);
      await client.post('/api/auth/passkey-challenge', {}, from('203.0.113.1'));
      const passkey = {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
      };
      const byKey = await client.post('/api/auth/passkey-signin', { passkey }, from('203.0.113.1'));
      assert.equal(byKey.status, 422, byKey.text);
    }
    assert.equal(await rowsOf('203.0.113.1'), 10);
    const body = { email: `${randomUUID()}@example.com`, password: 'wrong wrong' };
    await client.post('/api/auth/signin', body, from('203.0.113.2'));
    assert.equal(await rowsOf('203.0.113.2'), 1);
  });

  it('are as few where they are written in transactions, as those by a provider are', async () => {
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
