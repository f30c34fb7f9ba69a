import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Json } from '#test/client.ts';
import { emailsTo } from '#test/factories/emails.ts';
import {
  approve,
  balances,
  claim,
  claimed,
  complete,
  deskPath,
  startTestDesk,
  submitted,
} from '#test/factories/exchange.ts';
import { previewEmail } from '#features/email/email.ts';

const { api, admin } = await startTestDesk({ after });

const preview = ({ number, version }: Json, body: Json, client = admin) =>
  client.post(deskPath(number, '/email-preview'), { version, text: 'Nothing arrived.', ...body });

/** The preview of an action, then the action itself: the customer gets what was shown. */
async function isTrue(exchange: Json, asked: Json, act: () => Promise<Json>): Promise<Json> {
  const { email } = exchange.customer;
  const before = [await balances(api), (await emailsTo(api, email)).length];
  const shown = await preview(exchange, asked);
  assert.equal(shown.status, 200, shown.text);
  assert.deepEqual([await balances(api), (await emailsTo(api, email)).length], before);
  const same = (await admin.get(deskPath(exchange.number))).body.data;
  assert.deepEqual([same.version, same.state], [exchange.version, exchange.state]);
  const done = await act();
  assert.ok([200, 201].includes(done.status), done.text);
  const sent = (await emailsTo(api, email)).at(-1);
  assert.ok(sent);
  assert.equal(shown.body.data.subject, sent.subject);
  const { content } = sent.data as Json;
  const { text } = await previewEmail(api.deps, content, email);
  assert.equal(withoutMinutes(shown.body.data.text), withoutMinutes(text));
  assert.match(text, /Nothing arrived\./);
  return done.body.data;
}

/** A deadline counts from the moment of the action. */
const withoutMinutes = (text: string) => text.replaceAll(/\d\d:\d\d/g, '');

describe('POST /api/admin/exchanges/{number}/email-preview', () => {
  it('shows what each action then sends, and changes nothing', async () => {
    const keyed = { key: true } as const;
    const reason = 'Nothing arrived.';
    const { exchange } = await claimed(api, admin);
    const path = (rest: string) => deskPath(exchange.number, rest);
    const received = { version: exchange.version, amount: exchange.send_amount };
    const paid = (await admin.post(path('/receipts'), received, keyed)).body.data;
    const [{ id }] = paid.receipts;
    await isTrue(paid, { action: 'reverse_receipt', id }, () =>
      admin.delete(path(`/receipts/${id}`), undefined, {
        query: { version: paid.version, reason },
        ...keyed,
      }),
    );
    const second = (await claimed(api, admin)).exchange;
    const on = (rest: string) => deskPath(second.number, rest);
    const money = (
      await admin.post(on('/receipts'), { version: second.version, amount: '100.00' }, keyed)
    ).body.data;
    const question = { text: reason, wants: 'proof' };
    const asked = await isTrue(money, { action: 'ask', ...question }, () =>
      admin.post(on('/question'), { version: money.version, ...question }, keyed),
    );
    const given = { charge: '3.00', account: 'GB29 NWBK 6016 1331 9268 19' };
    const refunded = await isTrue(asked, { action: 'refund', ...given }, () =>
      admin.post(on('/refunds'), { version: asked.version, reason, ...given }, keyed),
    );
    const refund = `/refunds/${refunded.refunds[0].id}`;
    const sent = { version: refunded.version, reference: 'R-1' };
    const back = (await admin.post(on(`${refund}/payment`), sent, keyed)).body.data;
    await isTrue(back, { action: 'return_refund', id: refunded.refunds[0].id }, () =>
      admin.post(on(`${refund}/return`), { version: back.version, reason }, keyed),
    );
  });

  it('shows a rejection and a reopening', async () => {
    const reason = 'Nothing arrived.';
    const { exchange } = await claimed(api, admin);
    const body = { version: exchange.version, reason };
    await isTrue(exchange, { action: 'reject' }, () =>
      admin.post(deskPath(exchange.number, '/rejection'), body, { key: true }),
    );
    const { client } = await api.asMember();
    const paidOut = await complete(
      admin,
      await approve(admin, await claim(admin, await submitted(client))),
    );
    const again = { version: paidOut.version, reason };
    await isTrue(paidOut, { action: 'reopen' }, () =>
      admin.post(deskPath(paidOut.number, '/reopening'), again, { key: true }),
    );
  });

  it('is refused as the action would be, and without the permission', async () => {
    const { client } = await api.asMember();
    const exchange = await submitted(client);
    const unclaimed = await preview(exchange, { action: 'reject' });
    assert.equal(unclaimed.status, 409);
    const stale = await preview({ ...exchange, version: 99 }, { action: 'reject' });
    assert.equal(stale.body.code, 'version_conflict');
    assert.equal((await preview(exchange, { action: 'approve' })).status, 422);
    const { client: other } = await api.asAdmin({ permissions: ['settings'] });
    assert.equal((await preview(exchange, { action: 'reject' }, other)).status, 403);
  });
});
