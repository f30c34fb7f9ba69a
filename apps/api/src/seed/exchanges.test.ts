import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { reconcileNow } from '#features/exchanges/reconciliation.ts';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { startTestApi } from '#test/harness.ts';
import { seedDesk } from './desk.ts';
import { seedExchanges } from './exchanges.ts';
import { inOneTransaction } from './one-transaction.ts';
import { readJson } from './files.ts';
import { addCustomers } from './people.ts';

const pastExchanges = readJson<unknown[]>('exchanges.json');
const api = await startTestApi({ after });
const { client: admin, user } = await api.asAdmin();
await seedDesk(api.deps, user.id);
const customers = await transaction(api.db, (tx) => addCustomers(tx, new Date(), 'none'));
await reconcileNow(api.deps);
const seeded = await inOneTransaction(api.deps, (deps) =>
  seedExchanges(deps, { adminId: user.id, customers }),
);
const queue = async (name: string): Promise<Json[]> =>
  (await admin.get('/api/admin/exchanges', { query: { queue: name, per_page: 100 } })).body.data;

describe("the demo desk's past", () => {
  it('is there whole', () => {
    assert.equal(seeded.exchanges, pastExchanges.length);
  });

  it('has exchanges in every state of now, with nothing newer than now', async () => {
    const all = await queue('all');
    assert.equal(all.length, pastExchanges.length);
    const states = Object.groupBy(all, ({ state }) => state);
    assert.deepEqual(Object.keys(states).toSorted(), [
      'approved',
      'awaiting_payment',
      'cancelled',
      'completed',
      'expired',
      'payment_submitted',
      'rejected',
      'under_review',
    ]);
    const {
      rows: [newest],
    } = await api.db.executeQuery<{ at: Date }>(
      (await import('kysely')).sql`select greatest(
        (select max(at) from exchange_events), (select max(state_changed_at) from exchanges),
        (select max(created_at) from ledger_transactions where exchange_id is not null),
        (select max(mid_as_of) from exchanges)) as at`.compile(api.db),
    );
    assert.ok((newest?.at ?? new Date(8.64e15)) <= new Date());
  });

  it('gives the desk work with proofs to look at, one of them seen before', async () => {
    const work = await queue('to_review');
    assert.ok(work.length >= 6, `${work.length}`);
    assert.ok(work.every(({ proof_count }) => proof_count === 1));
    const warned = work.filter(({ warnings }) => warnings.includes('same_file'));
    assert.equal(warned.length, 2);
    const { data } = (await admin.get(`/api/admin/exchanges/${work[0].number}`)).body;
    const file = await admin.get(`/api/admin/proofs/${data.proofs[0].id}/file`);
    assert.deepEqual([file.status, file.headers['content-type']], [200, 'image/jpeg']);
    assert.ok(file.bytes.byteLength > 5000);
  });

  it('leaves a balanced ledger, whose approvals go on', async () => {
    const { data } = (await admin.get('/api/admin/reserves/reconciliation')).body;
    assert.deepEqual(data.differences, []);
    const [first] = (await queue('to_review')).toReversed();
    const { version } = (await admin.get(`/api/admin/exchanges/${first.number}`)).body.data;
    const claimed = await admin.post(`/api/admin/exchanges/${first.number}/claim`, { version });
    const body = { version: claimed.body.data.version, received_amount: first.send_amount };
    const approved = await admin.post(`/api/admin/exchanges/${first.number}/approval`, body, {
      key: true,
    });
    assert.equal(approved.status, 200, approved.text);
  });
});
