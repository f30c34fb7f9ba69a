import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { act, done, receive } from '#test/factories/acts.ts';
import { approve, claimed, complete, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });
const path = (number: string) => `/api/exchanges/${number}/receipt.pdf`;

describe('GET /api/exchanges/{number}/receipt.pdf', () => {
  it('is a PDF for the owner of a completed exchange, and for nobody else', async () => {
    const { client, exchange } = await claimed(api, admin);
    const approved = await approve(admin, exchange);
    assert.equal((await client.get(path(exchange.number))).status, 409);
    await complete(admin, approved);
    const { status, headers, bytes } = await client.get(path(exchange.number));
    assert.deepEqual([status, headers['content-type']], [200, 'application/pdf']);
    assert.match(String(headers['content-disposition']), new RegExp(`${exchange.number}\\.pdf`));
    assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
    assert.equal((await (await api.asMember()).client.get(path(exchange.number))).status, 404);
    assert.equal((await api.client().get(path(exchange.number))).status, 401);
  });

  it('confirms a refund', async () => {
    const { client, exchange } = await claimed(api, admin);
    const paid = await receive(admin, exchange, '100');
    const pending = await done(
      act(admin, paid, '/refunds', { reason: 'Asked for.', account: 'Банк Анны, 12345' }),
    );
    const refund = `/refunds/${pending.refunds[0].id}/payment`;
    await done(act(admin, pending, refund, { reference: 'BACK-1' }));
    const { status, bytes } = await client.get(path(exchange.number));
    assert.equal(status, 200);
    assert.ok(bytes.length > 5000);
  });
});
