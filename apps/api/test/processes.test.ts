/** Two processes of the service that are asked for the same thing at the same moment. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createBody, quote, startTestDesk } from './factories/exchange.ts';
import { send, startService } from './service.ts';

const ROUNDS = 8;

describe('two processes', async () => {
  const { api } = await startTestDesk({ after });
  const services = await Promise.all([startService(api), startService(api)]);

  /** Asks both at once. */
  async function race(keys: readonly string[]) {
    const { client } = await api.asMember();
    const { token } = await quote(client);
    const ask = { method: 'POST', path: '/api/exchanges', body: createBody(token) };
    const answers = await Promise.all(
      services.map(({ address }, at) => send(address, client, { ...ask, key: keys[at] ?? '' })),
    );
    const { body } = await client.get('/api/exchanges');
    return { answers, total: body.meta.total };
  }

  it('make one exchange of one key, and answer the same', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = randomUUID();
      const { answers, total } = await race([key, key]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201],
      );
      assert.equal(answers[0]?.text, answers[1]?.text);
      assert.equal(total, 1);
    }
  });

  it('make one exchange of one quote', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { answers, total } = await race([randomUUID(), randomUUID()]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
      assert.equal(total, 1);
    }
  });
});
