import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Client, Json } from '#test/client.ts';
import { done, own, refused, seen } from '#test/factories/acts.ts';
import { create, deskPath, startTestDesk } from '#test/factories/exchange.ts';

const { api, admin } = await startTestDesk({ after });

const write = (client: Client, { number }: Json, text: string) =>
  client.post(`/api/exchanges/${number}/messages`, { text }, { key: true });
const answer = ({ number }: Json, text: string) =>
  admin.post(deskPath(number, '/messages'), { text }, { key: true });
const unread = async () => {
  const { body } = await admin.get('/api/admin/exchanges?queue=unread');
  return body.data.map(({ number }: Json) => number);
};

describe('messages about an exchange', () => {
  it('go both ways, and each side sees what it has not read', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    const written = await write(client, exchange, 'Is it there?');
    assert.equal(written.status, 201, written.text);
    assert.deepEqual(await unread(), [exchange.number]);
    assert.ok((await seen(admin, exchange)).warnings.includes('unread_message'));
    const { messages } = await done(answer(exchange, 'Not yet.'));
    assert.deepEqual(
      messages.map(({ by, text }: Json) => [by, text]),
      [
        ['customer', 'Is it there?'],
        ['desk', 'Not yet.'],
      ],
    );
    assert.deepEqual(await unread(), []);
    const shown = await own(client, exchange);
    assert.deepEqual([shown.unread, shown.version], [true, exchange.version]);
    const [email] = await api.deps.sql<{ data: Json }[]>`
      select data from emails where kind = 'exchange-message' order by id desc limit 1`;
    assert.match(JSON.stringify(email?.data), /Not yet\./);
    const read = await client.post(`/api/exchanges/${exchange.number}/messages/read`);
    assert.equal(read.status, 204, read.text);
    assert.equal((await own(client, exchange)).unread, false);
  });

  it('are at most 200 of the customer, also at once; the desk can still answer', async () => {
    const { client, user } = await api.asMember();
    const exchange = await create(client);
    await api.deps.sql`
      insert into exchange_messages (id, exchange_id, by, actor_id, text, at)
      select gen_random_uuid(), id, 'customer', ${user.id}, 'Hello?', now()
      from exchanges, generate_series(1, 199) where number = ${exchange.number}`;
    const answers = await Promise.all(['One', 'Two'].map((text) => write(client, exchange, text)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409]);
    await refused(write(client, exchange, 'Three'), 'too_many_messages');
    assert.equal((await done(answer(exchange, 'We are here.'))).messages.length, 201);
  });

  it('can be marked as read without an answer', async () => {
    const { client } = await api.asMember();
    const exchange = await create(client);
    await write(client, exchange, 'Thank you.');
    assert.equal((await admin.post(deskPath(exchange.number, '/messages/read'))).status, 204);
    assert.deepEqual(await unread(), []);
  });

  it('are between the customer and the desk alone', async () => {
    const exchange = await create((await api.asMember()).client);
    const { client: stranger } = await api.asMember();
    assert.equal((await write(stranger, exchange, 'Hello')).status, 404);
    const path = `/api/exchanges/${exchange.number}/messages/read`;
    assert.equal((await stranger.post(path)).status, 404);
    assert.equal((await write(admin, exchange, 'Hello')).status, 404);
  });
});
