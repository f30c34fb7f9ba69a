import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { bySystem } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import { write } from '#features/content/settings/writing.ts';
import { transaction } from '#platform/db/database.ts';
import { act, done, receive, seen } from '#test/factories/acts.ts';
import {
  approve,
  cancel,
  claim,
  create,
  deskPath,
  proofFiles,
  startTestDesk,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { settingDefaults } from '#features/content/settings/defaults.ts';
import { eraseExchanges, unpaidProofsTask } from './retention.ts';

const { api, admin, operator } = await startTestDesk({ after });
const { client: owner } = await api.asMember();
const sweep = () => unpaidProofsTask(api.deps).run(new Date(), new AbortController().signal);

async function ended(number: string, days: number): Promise<void> {
  await api.deps.sql`
    update exchanges set state_changed_at = now() - make_interval(days => ${days})
    where number = ${number}`;
}

async function withProof(number: string): Promise<boolean> {
  const { body } = await admin.get(deskPath(number));
  return body.data.proofs.length > 0;
}

describe('proofs of exchanges that ended unpaid', () => {
  it('are deleted thirty days later with their files, without the events', async () => {
    const [young, old] = [await create(owner), await create(owner)];
    for (const exchange of [young, old]) {
      await upload(owner, exchange.number);
      await cancel(owner, exchange);
    }
    const files = proofFiles(api);
    await ended(young.number, 29);
    await ended(old.number, 31);
    // The process's clock, wrong by a year, has no effect.
    api.clock.set(new Date(Date.now() + 365 * DAY));
    assert.equal(await sweep(), '2 files deleted');
    api.clock.set(new Date());
    assert.equal(proofFiles(api).length, files.length - 2, 'the original and its copy');
    assert.deepEqual([await withProof(young.number), await withProof(old.number)], [true, false]);
    const { body } = await owner.get(`/api/exchanges/${old.number}`);
    assert.deepEqual(body.data.proofs, []);
    const actions = body.data.timeline.map(({ action }: { action: string }) => action);
    assert.deepEqual(actions, ['create', 'upload_proof', 'cancel']);
    assert.equal(await sweep(), '0 files deleted');
  });

  it('stay for the days of the settings', async () => {
    const exchange = await create(owner);
    await upload(owner, exchange.number);
    await cancel(owner, exchange);
    await ended(exchange.number, 8);
    await sweep();
    assert.equal(await withProof(exchange.number), true);
    const value = { ...settingDefaults.general, unpaid_proof_days: 7 };
    await write(api.deps, bySystem, 'general', { version: 0, value });
    await sweep();
    assert.equal(await withProof(exchange.number), false);
  });

  it('stay where a payment was received or submitted', async () => {
    const { client } = await api.asMember();
    const open = await create(client);
    await upload(client, open.number);
    const reported = await submitted(client);
    const approved = await approve(admin, await claim(admin, await submitted(client)));
    const rejected = await claim(admin, await submitted(client));
    const body = { version: rejected.version, reason: 'No payment has arrived.' };
    const answer = await admin.post(deskPath(rejected.number, '/rejection'), body, { key: true });
    assert.equal(answer.status, 200, answer.text);
    const paidLate = await create(client);
    await upload(client, paidLate.number);
    await cancel(client, paidLate);
    await api.deps.sql`
      insert into exchange_receipts
        (id, exchange_id, currency_id, amount_minor, booked_on, another_payment, recorded_by, at)
      select gen_random_uuid(), id, send_currency_id, send_minor, now(), false, ${operator.id}, now()
      from exchanges where number = ${paidLate.number}`;
    const all = [open, reported, approved, rejected, paidLate];
    for (const { number } of all) await ended(number, 400);
    await sweep();
    for (const { number, state } of all) assert.equal(await withProof(number), true, state);
  });
});

describe('the personal data of records', () => {
  it('is erased with the exchange, and no other change of a record is possible', async () => {
    const { client } = await api.asMember();
    const review = await claim(admin, await submitted(client));
    const asked = await done(
      act(admin, review, '/question', { text: 'Whose is the Secret account?', wants: 'answer' }),
    );
    const answer = { version: asked.version, text: 'It is Secret.' };
    await done(client.post(`/api/exchanges/${review.number}/answers`, answer, { key: true }));
    const back = await claim(admin, await seen(admin, review));
    const paid = await receive(admin, back, '100', { payer: 'Secret Payer' });
    const begin = { reason: 'Asked for.', account: 'Secret bank' };
    const pending = await done(act(admin, paid, '/refunds', begin));
    const elsewhere = { reference: 'BACK', account: 'Another Secret bank' };
    await done(act(admin, pending, `/refunds/${pending.refunds[0].id}/payment`, elsewhere));
    await done(
      admin.post(deskPath(paid.number, '/messages'), { text: 'Dear Secret' }, { key: true }),
    );
    const { timeline } = await seen(admin, review);
    const words = timeline.map(({ reason }: { reason: string | null }) => reason);
    assert.ok(words.includes('It is Secret.') && words.includes('Whose is the Secret account?'));
    const [row] = await api.deps.sql<{ id: string }[]>`
      select id from exchanges where number = ${review.number}`;
    const id = row?.id ?? '';
    await transaction(api.db, (tx) => eraseExchanges(tx, [id]));
    for (const table of ['receipts', 'payouts', 'refunds', 'questions', 'messages', 'events']) {
      const [found] = await api.deps.sql.unsafe(
        `select count(*)::int as count from exchange_${table} t
         where exchange_id = '${id}' and to_jsonb(t)::text like '%Secret%'`,
      );
      assert.equal(found?.['count'], 0, table);
    }
    for (const change of [
      `update exchange_receipts set amount_minor = 1 where exchange_id = '${id}'`,
      `update exchange_receipts set payer = 'Another' where exchange_id = '${id}'`,
      `update exchange_refunds set state = 'to_pay' where exchange_id = '${id}'`,
      `update exchange_messages set text = 'Another' where exchange_id = '${id}'`,
    ]) {
      await assert.rejects(api.deps.sql.unsafe(change), { code: '23001' }, change);
    }
  });
});
