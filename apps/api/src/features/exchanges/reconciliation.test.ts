/** Approvals and completions need a recent balanced reconciliation; frozen figures cannot change. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { transaction } from '#platform/db/database.ts';
import type { Json } from '#test/client.ts';
import { reconcileNow, reconciliationTasks } from './reconciliation.ts';
import { approve, claimed, create, deskPath, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });

const askApproval = ({ number, version }: Json) =>
  admin.post(deskPath(number, '/approval'), { version, received_amount: '100' }, { key: true });

const askCompletion = ({ number, version }: Json) =>
  admin.post(
    deskPath(number, '/completion'),
    { version, payout_reference: `SEPA ${number}` },
    { key: true },
  );

/** Manipulates the ledger, and returns the way to undo it. */
async function tamper(balance: number): Promise<() => Promise<unknown>> {
  const move = (by: number) =>
    api.deps.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`update ledger_accounts set balance = balance + ${by}
        where kind = 'available' and currency_id = (select id from currencies where slug = 'eur')`;
    });
  await move(balance);
  return () => move(-balance);
}

const records = () => api.db.selectFrom('reconciliations').selectAll().orderBy('id').execute();
const forgetRecords = () => sql`delete from reconciliations`.execute(api.db);

beforeEach(forgetRecords);

describe('approvals and completions', () => {
  it('reconcile the ledger where there is no recent record', async () => {
    const { exchange } = await claimed(api, admin);
    assert.equal((await askApproval(exchange)).status, 200);
    assert.deepEqual(
      (await records()).map(({ balanced }) => balanced),
      [true],
    );
  });

  it('are refused with 503 for a manipulated ledger without records', async () => {
    const { exchange } = await claimed(api, admin);
    const { exchange: other } = await claimed(api, admin);
    const approved = await approve(admin, other);
    await forgetRecords();
    const restore = await tamper(100_000);
    for (const answer of [await askApproval(exchange), await askCompletion(approved)]) {
      assert.deepEqual([answer.status, answer.body.code], [503, 'ledger_unbalanced']);
      assert.ok(Number(answer.headers['retry-after']) > 0);
      await forgetRecords();
    }
    await restore();
    assert.equal((await askApproval(exchange)).status, 200);
    assert.equal((await askCompletion(approved)).status, 200);
  });

  it('ignore a record older than 30 minutes or from the future', async () => {
    const { exchange } = await claimed(api, admin);
    const restore = await tamper(1);
    for (const age of ['31 minutes', '-1 minute']) {
      await sql`insert into reconciliations (at, scope, balanced, differences)
        values (now() - ${age}::interval, 'since_checkpoint', true, '[]')`.execute(api.db);
      assert.equal((await askApproval(exchange)).status, 503, age);
      await forgetRecords();
    }
    await restore();
  });

  it('use the newest record for 30 minutes', async () => {
    const { exchange } = await claimed(api, admin);
    await sql`insert into reconciliations (at, scope, balanced, differences)
      values (now() - interval '29 minutes', 'since_checkpoint', false, '[]')`.execute(api.db);
    assert.equal((await askApproval(exchange)).status, 503);
    assert.equal((await records()).length, 1, 'nothing was compared again');
  });
});

describe('a reconciliation by an admin', () => {
  const compareNow = () => admin.get('/api/admin/reserves/reconciliation');
  const claimPayout = ({ number, version }: Json) =>
    admin.post(deskPath(number, '/claim'), { version });

  it('stops and resumes completions and claims of payouts', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const restore = await tamper(7);
    assert.equal((await compareNow()).body.data.balanced, false);
    for (const answer of [await claimPayout(approved), await askCompletion(approved)]) {
      assert.deepEqual([answer.status, answer.body.code], [503, 'ledger_unbalanced']);
    }
    await restore();
    assert.equal((await compareNow()).body.data.balanced, true);
    assert.equal((await claimPayout(approved)).status, 200);
    assert.equal((await askCompletion(approved)).status, 200);
  });

  it('is recorded', async () => {
    await compareNow();
    await assert.rejects(sql`update reconciliations set balanced = true`.execute(api.db), {
      code: '23001',
    });
  });
});

describe('a manipulation of what was verified before', () => {
  const compare = async () => (await admin.get('/api/admin/reserves/reconciliation')).body.data;
  const aroundTriggers = (statement: string) =>
    api.deps.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx.unsafe(statement);
    });
  /** The oldest entry, which is in every checkpoint. */
  const tamperOld = (by: number) =>
    aroundTriggers(`update ledger_entries set amount = amount + ${by}
      where id = (select min(id) from ledger_entries)`);

  it('is found by the task at night, and stops approvals until the whole ledger balances', async () => {
    const { exchange } = await claimed(api, admin);
    await reconcileNow(api.deps, 'whole');
    const before = await compare();
    assert.deepEqual([before.scope, before.balanced], ['since_checkpoint', true]);
    await tamperOld(1);
    assert.equal((await compare()).balanced, true, 'the checkpoint contains the entry');
    const night = reconciliationTasks(api.deps).find(({ name }) => name.includes('whole'));
    assert.ok(night);
    await assert.rejects(night.run(new Date(), AbortSignal.abort()), /3 differences/);
    assert.equal((await askApproval(exchange)).status, 503);
    // As of one that began before the night's.
    await sql`insert into reconciliations (at, scope, balanced, differences)
      values (now(), 'since_checkpoint', true, '[]')`.execute(api.db);
    assert.equal((await askApproval(exchange)).status, 503);
    const again = await compare();
    assert.deepEqual([again.scope, again.differences.length], ['whole', 3]);
    assert.equal(again.whole_verified_at, before.whole_verified_at);
    await tamperOld(-1);
    const { scope, balanced, at, whole_verified_at } = await compare();
    assert.deepEqual([scope, balanced, whole_verified_at], ['whole', true, at]);
    assert.equal((await askApproval(exchange)).status, 200);
    assert.equal((await compare()).scope, 'since_checkpoint');
  });

  it('of a closed exchange is found since the checkpoint only if it was posted after it', async () => {
    const approved = await approve(admin, (await claimed(api, admin)).exchange);
    const { number } = (await askCompletion(approved)).body.data;
    const setFee = (by: number) =>
      aroundTriggers(`update exchanges set send_fee_minor = send_fee_minor + ${by}
        where number = '${number}'`);
    await setFee(1);
    const found = await compare();
    const numbers = found.differences.map((each: Json) => each.exchange_number);
    assert.deepEqual([found.scope, ...numbers], ['since_checkpoint', number, number]);
    await setFee(-1);
    assert.equal((await compare()).balanced, true);
    await setFee(1);
    assert.equal((await compare()).balanced, true, 'it is in the checkpoint now');
    assert.equal((await reconcileNow(api.deps, 'whole')).differences.length, 2);
    await setFee(-1);
  });
});

describe('the task of reconciliation', () => {
  it('never deletes the newest record', async () => {
    for (const age of ['200 days', '100 days']) {
      await sql`insert into reconciliations (at, scope, balanced, differences)
        values (now() - ${age}::interval, 'since_checkpoint', true, '[]')`.execute(api.db);
    }
    const { deleteOld } = await import('./store/reconciliation.ts');
    await deleteOld(api.db, 90);
    assert.equal((await records()).length, 1);
    await api.scheduler.tick();
    assert.deepEqual(
      (await records()).map(({ balanced }) => balanced),
      [true, true],
      'only its own outcome and that of the whole ledger are left',
    );
  });
});

describe('a reconciliation', () => {
  const differences = async () =>
    (await admin.get('/api/admin/reserves/reconciliation')).body.data.differences as Json[];

  it('finds an exchange whose postings differ from its figures', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const setPayout = (by: number) =>
      api.deps.sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update exchanges set payout_minor = payout_minor + ${by}, gross_minor = gross_minor + ${by}
          where number = ${approved.number}`;
      });
    await setPayout(500);
    const found = (await differences()).filter(({ what }) => what === 'exchange');
    assert.deepEqual(
      found.map(({ account, exchange_number }) => [exchange_number, account]).toSorted(),
      [
        [approved.number, 'available'],
        [approved.number, 'held'],
      ],
    );
    await setPayout(-500);
    assert.deepEqual(await differences(), []);
  });
});

describe('each posting of an exchange', () => {
  it('names the event or the record that caused it', async () => {
    const { exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    const events = await api.db
      .selectFrom('exchange_events as v')
      .innerJoin('exchanges as e', 'e.id', 'v.exchange_id')
      .select(['v.id', 'v.action'])
      .where('e.number', '=', approved.number)
      .execute();
    const posted = await api.db
      .selectFrom('ledger_transactions')
      .select(['kind', 'cause'])
      .where('exchange_number', '=', approved.number)
      .orderBy('created_at')
      .execute();
    const idOf = (action: string) => events.find((event) => event.action === action)?.id;
    assert.deepEqual(posted, [
      { kind: 'hold', cause: `event:${idOf('create')}` },
      { kind: 'money_in', cause: `receipt:${approved.receipts[0].id}` },
    ]);
  });
});

describe('the figures of an exchange', () => {
  const set = (assignment: string, number: string) =>
    api.deps.sql.unsafe(`update exchanges set ${assignment} where number = '${number}'`);

  it('cannot be changed after its creation', async () => {
    const { number } = await create((await api.asMember()).client);
    for (const assignment of [
      'send_minor = send_minor + 1',
      'send_fee_minor = send_fee_minor + 1, version = version + 1',
      'rate = rate * 2',
      'rate_digits = rate_digits + 1',
      'payout_minor = payout_minor + 1, gross_minor = gross_minor + 1',
      'receive_fee_minor = receive_fee_minor + 1, gross_minor = gross_minor + 1',
      'mid_rate = 2',
      'mid_value_minor = 1',
      'margin_percent = margin_percent + 1',
      'margin_absolute = margin_absolute + 1',
    ]) {
      await assert.rejects(
        set(assignment, number),
        { code: '23001', message: /are frozen/ },
        assignment,
      );
    }
    await assert.rejects(set('send_currency_id = receive_currency_id', number), {
      code: '23001',
      message: /another one/,
    });
    await assert.rejects(set('refunded_minor = 1', number), /come from its records/);
    await assert.rejects(api.deps.sql`delete from exchanges where number = ${number}`, {
      code: '23001',
    });
  });

  it('change only with a row of the old and new figures in the same transaction', async () => {
    const { number } = await create((await api.asMember()).client);
    const note = sql`
      insert into exchange_recalculations (exchange_id, old_figures, new_figures)
      select id, exchange_figures(e), exchange_figures(e) || jsonb_build_object(
        'send_minor', e.send_minor + 1, 'payout_minor', e.payout_minor + 1, 'gross_minor', e.gross_minor + 1)
      from exchanges e where number = ${number}`;
    const change = sql`
      update exchanges set send_minor = send_minor + 1, payout_minor = payout_minor + 1,
        gross_minor = gross_minor + 1 where number = ${number}`;
    const frozen = { code: '23001', message: /are frozen/ };
    const within = (steps: readonly (typeof note)[]) =>
      transaction(api.db, async (tx) => {
        for (const step of steps) await step.execute(tx);
      });
    await within([note]);
    await assert.rejects(within([change]), frozen, 'the row is another transaction’s');
    const other = sql`update exchanges set send_minor = send_minor + 2 where number = ${number}`;
    await assert.rejects(within([note, other]), frozen, 'the row names other figures');
    // Within a savepoint too.
    await within([note, sql`savepoint effect`, change]);
    await assert.rejects(sql`update exchange_recalculations set actor_id = null`.execute(api.db), {
      code: '23001',
    });
    await assert.rejects(sql`delete from exchange_recalculations`.execute(api.db), {
      code: '23001',
    });
  });
});
