/** A pair that is being switched off while a quote of it is accepted. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { transaction } from '#platform/db/database.ts';
import { createBody, openDesk, quote } from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const api = await startTestApi({ after });
const { client: admin } = await api.asAdmin();
const { id } = await openDesk(admin);

describe('a quote of a pair that is being switched off', () => {
  it('waits for the switch and is refused', async () => {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const order: string[] = [];
    const { answer } = await transaction(api.db, async (tx) => {
      await tx.updateTable('pairs').set({ active: false }).where('id', '=', id).execute();
      const pending = client
        .post('/api/exchanges', createBody(token), { key: true })
        .then((got) => (order.push('answered'), got));
      // Long enough for a creation that does not wait.
      await new Promise((resolve) => setTimeout(resolve, 400));
      order.push('switched off');
      return { answer: pending };
    });
    const { status, body } = await answer;
    assert.deepEqual(order, ['switched off', 'answered']);
    assert.deepEqual([status, body.code], [409, 'pair_unavailable']);
  });

  it('is accepted again once the pair is switched on', async () => {
    await api.db.updateTable('pairs').set({ active: true }).where('id', '=', id).execute();
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const answer = await client.post('/api/exchanges', createBody(token), { key: true });
    assert.equal(answer.status, 201);
  });
});
