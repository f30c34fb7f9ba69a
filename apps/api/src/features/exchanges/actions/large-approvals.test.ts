import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { MINUTE } from '#kernel/clock.ts';
import { PASSWORD, type Client } from '#test/client.ts';
import { act, done, receive, refused, seen, setDesk } from '#test/factories/acts.ts';
import {
  approve,
  claim,
  claimed,
  complete,
  deskPath,
  PAYOUT_FIELDS,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const { client: second } = await api.asAdmin();
const twoAbove = (amount: string) =>
  setDesk(api, { second_approver_above: [{ currency: 'usd', amount }] });

describe('an approval above the limit of the settings', () => {
  it('answers 403 without a fresh confirmation, and then succeeds with the same key', async () => {
    const { client } = await api.asMember();
    const small = await claim(admin, await submitted(client, '100'));
    const large = await claim(admin, await submitted(client, '100.01'));
    const value = {
      two_factor_for_admins: 'default',
      fresh_approval_above: [{ currency: large.send.slug, amount: '100.000' }],
    };
    const written = await admin.put('/api/admin/settings/security', { version: 0, value });
    assert.equal(written.status, 200, written.text);
    api.clock.advance(10 * MINUTE);

    await approve(admin, small);
    const body = { version: large.version, received_amount: large.send_amount };
    const key = randomUUID();
    const ask = () => admin.post(deskPath(large.number, '/approval'), body, { key });
    const late = await ask();
    assert.deepEqual([late.status, late.body.code], [403, 'confirmation_required']);
    await admin.post('/api/user/confirmation', { password: PASSWORD });
    assert.equal((await ask()).status, 200);
  });

  it('looks at what was received as well', async () => {
    const small = await claim(admin, await submitted((await api.asMember()).client, '100'));
    api.clock.advance(10 * MINUTE);
    const body = { received_amount: '900000', difference: 'recalculate_locked' };
    const refusal = await act(admin, small, '/approval', body);
    assert.deepEqual([refusal.status, refusal.body.code], [403, 'confirmation_required']);
    await admin.post('/api/user/confirmation', { password: PASSWORD });
  });
});

describe('an approval of two operators', () => {
  it('at the current rate is the same after a run that moved nothing', async () => {
    await twoAbove('99.99');
    const { exchange } = await claimed(api, admin);
    const body = { received_amount: '101', difference: 'recalculate_current' };
    const first = await done(act(admin, exchange, '/approval', body));
    await api.deps.sql`update pairs set mid_as_of = now()`;
    await second.post('/api/user/confirmation', { password: PASSWORD });
    assert.equal((await done(act(second, first, '/approval', body))).state, 'approved');
  });
});

describe('a reference that was used before', () => {
  it('is asked about at the first approval, and the second sees what to approve', async () => {
    await twoAbove('99.99');
    const earlier = await claimed(api, admin);
    await receive(admin, earlier.exchange, '1', { reference: 'BANK-1' });
    const { exchange } = await claimed(api, admin);
    const body = { received_amount: '100', reference: 'BANK-1' };
    const refusal = await refused(act(admin, exchange, '/approval', body), 'reference_used');
    assert.deepEqual(Object.keys(refusal.errors), ['reference']);
    const said = { ...body, another_payment: true };
    const first = await done(act(admin, exchange, '/approval', said));
    assert.equal(first.approvals[0].reference, 'BANK-1');
    const path = deskPath(exchange.number, '/outcomes?received_amount=100');
    const firstBy = async (who: Client) => (await who.get(path)).body.data.first_by;
    assert.deepEqual([await firstBy(admin), await firstBy(second)], [null, first.approvals[0].by]);
    await refused(act(second, first, '/approval', body), 'reference_used');
    assert.equal((await done(act(second, first, '/approval', said))).state, 'approved');
    await setDesk(api, {});
  });
});

describe('a pair whose approval pays out', () => {
  const reference = { payout_reference: 'OUT-1' };

  it('waits with the payout until both operators have approved', async () => {
    await api.deps.sql`update pairs set complete_on_approval = true`;
    await twoAbove('99.99');
    const { exchange } = await claimed(api, admin);
    const looked = await admin.get(deskPath(exchange.number, '/outcomes?received_amount=100'));
    assert.equal(looked.body.data.completes, false);
    const early = await act(admin, exchange, '/approval', { received_amount: '100', ...reference });
    assert.deepEqual([early.status, Object.keys(early.body.errors)], [422, ['payout_reference']]);
    const first = await done(act(admin, exchange, '/approval', { received_amount: '100' }));
    const approved = await done(act(second, first, '/approval', { received_amount: '100' }));
    assert.equal(approved.state, 'approved');
    assert.equal((await complete(second, approved)).state, 'completed');
    await setDesk(api, {});
  });

  it('lets another operator pay to a changed account, which does not change under the claim', async () => {
    const { client, exchange } = await claimed(api, admin);
    const change = (version: number) =>
      client.put(
        `/api/exchanges/${exchange.number}/payout-fields`,
        { version, payout_fields: { ...PAYOUT_FIELDS, iban: 'GB29NWBK60161331926819' } },
        { key: true },
      );
    await refused(change(exchange.version), 'payout_claimed');
    const path = deskPath(exchange.number, `/claim?version=${exchange.version}`);
    const released = await done(admin.delete(path));
    const changed = await done(change(released.version));
    const review = await claim(admin, await seen(admin, changed));
    const body = { received_amount: '100' };
    await refused(act(admin, review, '/approval', { ...body, ...reference }), 'payout_waits');
    const approved = await done(act(admin, review, '/approval', body));
    assert.equal(approved.state, 'approved');
    await refused(act(admin, approved, '/completion', reference), 'payout_waits');
    assert.equal((await done(act(second, approved, '/completion', reference))).state, 'completed');
  });

  it('says which reference was used, and takes another payout with the same', async () => {
    const { exchange } = await claimed(api, admin);
    const body = { received_amount: '100', ...reference };
    const refusal = await refused(act(admin, exchange, '/approval', body), 'reference_used');
    assert.deepEqual(Object.keys(refusal.errors), ['payout_reference']);
    const sent = await done(act(admin, exchange, '/approval', { ...body, another_payout: true }));
    assert.equal(sent.state, 'completed');
  });
});
