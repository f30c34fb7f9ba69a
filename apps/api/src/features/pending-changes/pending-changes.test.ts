import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Client, Json } from '#test/client.ts';
import { addCurrency, currencyDraft, setDesk, stock } from '#test/desk.ts';
import { emailsTo } from '#test/factories/emails.ts';
import { startTestApi } from '#test/harness.ts';
import { isHarmless } from './payees.ts';
import { endDue } from './pending-changes.ts';

const api = await startTestApi({ after });
const { client: ada, user: adaUser } = await api.asAdmin({ name: 'Ada' });
const { client: bo } = await api.asAdmin({ name: 'Bo' });
const { client: desk } = await api.asAdmin({ permissions: ['desk'] });
await setDesk(ada, {
  payee_cooling_hours: 24,
  second_approver_above: [
    { currency: 'usd', amount: '1000' },
    { currency: 'gbp', amount: '1000' },
  ],
});

const URL = '/api/admin/pending-changes';
const list = async (client = bo): Promise<Json[]> => (await client.get(URL)).body.data;
const decide = (client: Client, id: string, what: 'confirmation' | 'objection') =>
  client.post(`${URL}/${id}/${what}`, undefined, { key: true });
const read = async (slug: string) => (await bo.get(`/api/admin/currencies/${slug}`)).body.data;
const ibans = async (slug: string) =>
  (await read(slug)).payee_accounts.map(({ details }: Json) => details[0].value);
const account = (value: string, changes: Json = {}) => ({
  label: 'Account',
  details: [{ label: 'IBAN', value }],
  instructions: '',
  qr_template: null,
  active: true,
  ...changes,
});

async function setPayees(slug: string, payee_accounts: Json[], client = ada) {
  const { version } = await read(slug);
  return client.patch(`/api/admin/currencies/${slug}`, { version, payee_accounts });
}

async function makeDue(id: string): Promise<void> {
  const set = { effective_at: sql<Date>`effective_at - interval '25 hours'` };
  const lapse = { lapses_at: sql<Date>`lapses_at - interval '8 days'` };
  await api.db
    .updateTable('pending_changes')
    .set({ ...set, ...lapse })
    .where('id', '=', id)
    .execute();
}

const adjust = (amount: string, direction = 'in', key: string | true = true) =>
  ada.post(
    '/api/admin/reserves/usd/adjustments',
    { direction, amount, reason: 'From the bank' },
    { key },
  );
const available = async () =>
  (await bo.get('/api/admin/reserves')).body.data.find(
    ({ currency }: Json) => currency.slug === 'usd',
  ).available;
const actionsOn = async (slug: string) =>
  (
    await api.db
      .selectFrom('audit_events')
      .select('action')
      .where('subject_id', '=', (await read(slug)).id)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

describe('payee accounts', () => {
  it('of a new currency wait, until another admin confirms them', async () => {
    const { status, body } = await ada.post('/api/admin/currencies', currencyDraft('usd'));
    assert.equal(status, 201);
    assert.deepEqual(body.data.payee_accounts, []);
    const [change] = await list();
    assert.deepEqual(
      [change.id, change.kind, change.subject, change.by, change.own, change.before],
      [body.pending_change.id, 'payee_accounts', 'usd', 'Ada', false, []],
    );
    assert.equal(change.after[0].label, 'Desk account');
    assert.equal((await list(ada))[0].own, true);
    assert.equal((await decide(ada, change.id, 'confirmation')).body.code, 'own_change');
    assert.equal((await decide(desk, change.id, 'confirmation')).status, 403);
    const confirmed = await decide(bo, change.id, 'confirmation');
    assert.deepEqual([confirmed.status, confirmed.body.data.state], [200, 'effective']);
    assert.deepEqual(await ibans('usd'), ['GB29 NWBK 6016 1331 9268 19']);
    assert.deepEqual(await list(), []);
    assert.deepEqual(await actionsOn('usd'), [
      'currency.created',
      'pending_change.waits',
      'currency.updated',
      'pending_change.confirmed',
    ]);
  });

  it('take effect by themselves when their time has come, once, also at two processes', async () => {
    const { body } = await setPayees('usd', [account('NEW')]);
    assert.equal((await setPayees('usd', [account('OTHER')])).body.code, 'change_waits');
    assert.equal(await endDue(api.deps), '0 ended');
    await makeDue(body.pending_change.id);
    const ended = await Promise.all([endDue(api.deps), endDue(api.deps), endDue(api.deps)]);
    assert.deepEqual(ended.toSorted(), ['0 ended', '0 ended', '1 ended']);
    assert.deepEqual(await ibans('usd'), ['NEW']);
    assert.equal((await actionsOn('usd')).at(-1), 'pending_change.effective');
    const told = (await emailsTo(api, adaUser.email)).at(-1);
    assert.match(told?.subject ?? '', /USD.*nobody objected/);
  });

  it('can be saved with other fields while they stay as they are', async () => {
    const { version, payee_accounts } = await read('usd');
    const body = { version, payee_accounts, name: 'US dollar' };
    const saved = await ada.patch('/api/admin/currencies/usd', body);
    assert.equal(saved.body.data.name, 'US dollar');
    assert.equal(saved.body.pending_change, null);
  });

  it('are switched off at once where another one is left', async () => {
    const both = await setPayees('usd', [account('NEW'), account('SECOND')]);
    await decide(bo, both.body.pending_change.id, 'confirmation');
    const { payee_accounts } = await read('usd');
    const off = await setPayees('usd', [
      { ...payee_accounts[0], active: false },
      payee_accounts[1],
    ]);
    assert.equal(off.body.pending_change, null);
    assert.equal(off.body.data.payee_accounts[0].active, false);
  });

  it('are harmless only where nobody pays into another account and somebody still can', () => {
    const [a, b] = [account('A'), account('B')].map((each) => ({ ...each, id: each.label }));
    assert.ok(a && b);
    const off = { ...a, active: false };
    assert.equal(isHarmless([a, b], [b]), true);
    assert.equal(isHarmless([a, b], [off, b]), true);
    assert.equal(isHarmless([a], [a, { ...b, active: false }]), true);
    assert.equal(isHarmless([off], []), true);
    for (const [before, then] of [
      [[a], [off]],
      [[a], []],
      [[a], [b]],
      [[a], [a, b]],
      [[off], [a]],
      [
        [a, b],
        [b, a],
      ],
      [[a], [{ ...a, instructions: 'Other' }]],
      [[a], [{ ...a, qr_template: 'bitcoin:b' }]],
      [[], [a]],
    ] as const)
      assert.equal(isHarmless([...before], [...then]), false, JSON.stringify([before, then]));
  });

  it('are confirmed or objected to, never both', async () => {
    for (const value of ['R1', 'R2', 'R3']) {
      const before = await ibans('usd');
      const { body } = await setPayees('usd', [account(value)]);
      const { id } = body.pending_change;
      const [confirmed, objected] = await Promise.all([
        decide(bo, id, 'confirmation'),
        decide(ada, id, 'objection'),
      ]);
      assert.deepEqual([confirmed.status, objected.status].toSorted(), [200, 409]);
      assert.deepEqual(await ibans('usd'), confirmed.status === 200 ? [value] : before);
    }
  });
});

describe('an adjustment of a reserve', () => {
  it('up to the threshold is made at once, and emailed', async () => {
    const { status, body } = await adjust('1000');
    assert.deepEqual([status, body.data.available, body.pending_change], [201, '1000.00', null]);
    const told = (await emailsTo(api, adaUser.email)).at(-1);
    assert.match(JSON.stringify(told?.data), /0\.00 USD.*1000\.00 USD \(\+1000\)/);
  });

  it('above it waits for another admin, and is posted once', async () => {
    const first = await adjust('1000.01', 'in', 'large');
    assert.equal(
      (await adjust('1000.01', 'in', 'large')).body.pending_change.id,
      first.body.pending_change.id,
    );
    assert.deepEqual([first.status, first.body.data.available], [201, '1000.00']);
    const [change, ...others] = await list();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [change.kind, change.effective_at, change.before, change.after],
      [
        'adjustment',
        null,
        { available: '1000.00' },
        { available: '2000.01', direction: 'in', amount: '1000.01', reason: 'From the bank' },
      ],
    );
    assert.equal((await decide(ada, change.id, 'confirmation')).body.code, 'own_change');
    const { client: cy } = await api.asAdmin({ permissions: ['money'] });
    const answers = await Promise.all([
      decide(bo, change.id, 'confirmation'),
      decide(cy, change.id, 'confirmation'),
      decide(bo, change.id, 'confirmation'),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
    assert.equal(await available(), '2000.01');
    const { body } = await bo.get('/api/admin/reserves/reconciliation');
    assert.equal(body.data.balanced, true);
  });

  it('is refused beyond the reserve, when it is asked for and when it is confirmed', async () => {
    assert.equal((await adjust('2000.02', 'out')).body.code, 'insufficient_reserve');
    const { body } = await adjust('1500', 'out');
    await adjust('900', 'out');
    const confirmed = await decide(bo, body.pending_change.id, 'confirmation');
    assert.equal(confirmed.body.code, 'insufficient_reserve');
    assert.equal((await list()).length, 1);
    await adjust('900');
    assert.equal((await decide(bo, body.pending_change.id, 'confirmation')).status, 200);
    assert.equal(await available(), '500.01');
  });

  it('lapses after seven days, and is confirmed no more', async () => {
    const { body } = await adjust('5000');
    const { id } = body.pending_change;
    await makeDue(id);
    assert.equal((await decide(bo, id, 'confirmation')).body.code, 'change_ended');
    assert.equal(await endDue(api.deps), '1 ended');
    assert.deepEqual(await list(), []);
    assert.equal(await available(), '500.01');
    assert.equal((await actionsOn('usd')).at(-1), 'pending_change.lapsed');
  });

  it('is never confirmed by whoever asked for it, whatever the code does', async () => {
    const { body } = await adjust('5000');
    const own = sql`update pending_changes set state = 'effective', decided_by = asked_by
      where id = ${body.pending_change.id}`;
    await assert.rejects(own.execute(api.db), /pending_changes_two_people/);
    const nobody = sql`update pending_changes set state = 'effective'
      where id = ${body.pending_change.id}`;
    await assert.rejects(nobody.execute(api.db), /pending_changes_two_people/);
  });
});

describe('a currency without cooling-off time', () => {
  it('has its accounts at once on a new desk', async () => {
    const fresh = await startTestApi({ after });
    const { client } = await fresh.asAdmin();
    const currency = await addCurrency(client, 'usd');
    assert.equal(currency.payee_accounts.length, 1);
    await stock(client, 'usd', '1000000');
  });
});
