/** A kill -9 of the service during writes: acknowledged writes are there, and can be repeated. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { openKeys } from '#platform/security/keys.ts';
import { readQuote } from '#features/exchanges/quotes/quote-token.ts';
import type { Client, Json } from './client.ts';
import { untilServed } from './eventually.ts';
import { createBody, quote, startTestDesk } from './factories/exchange.ts';
import { APP_KEY, send, startService } from './service.ts';

const { api, admin } = await startTestDesk({ after }, {}, { patient: true });

interface Asked {
  readonly client: Client;
  readonly key: string;
  readonly token: string;
}

/** Retries after 503: sixty at once are more than the pool and its queue accept. */
function accept(address: string, asked: Asked): Promise<{ status: number; text: string }> {
  return untilServed(() => acceptOnce(address, asked));
}

const acceptOnce = (address: string, { client, key, token }: Asked) =>
  send(address, client, { method: 'POST', path: '/api/exchanges', key, body: createBody(token) });

describe('a kill -9 during writes', { timeout: 120_000 }, () => {
  it('loses no acknowledged exchange, leaves no partial one, and replays the same answers', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async () => (await api.asMember()).client),
    );
    const asked = await Promise.all(
      people.flatMap((client) =>
        Array.from({ length: 5 }, async (): Promise<Asked> => {
          const { token } = await quote(client);
          return { client, key: randomUUID(), token };
        }),
      ),
    );
    const service = await startService(api);
    const answered = new Map<Asked, string>();
    let unanswered = 0;
    const gone = once(service.child, 'exit');
    await Promise.all(
      asked.map(async (ask) => {
        try {
          const { status, text } = await accept(service.address, ask);
          assert.equal(status, 201, text);
          answered.set(ask, text);
          if (answered.size === 20) service.child.kill('SIGKILL');
        } catch (error) {
          assert.ok(error instanceof TypeError, String(error));
          unanswered += 1;
        }
      }),
    );
    await gone;
    assert.ok(unanswered > 0, 'the kill came in the middle');

    const numbers = await api.db.selectFrom('exchanges').select(['number', 'quote_id']).execute();
    for (const text of answered.values()) {
      const { number } = (JSON.parse(text) as Json).data;
      assert.ok(
        numbers.some((row) => row.number === number),
        `${number} was acknowledged`,
      );
    }
    // Transactions that were cut off are rolled back when the server notices.
    for (let tries = 0; ; tries += 1) {
      const { data } = (await admin.get('/api/admin/reserves/reconciliation')).body;
      if (data.balanced && (await liveTransactions()) === 0) break;
      assert.ok(tries < 1000, JSON.stringify(data.differences));
      await new Promise((done) => setTimeout(done, 50));
    }

    const again = await startService(api);
    const answers = await Promise.all(asked.map((ask) => accept(again.address, ask)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      asked.map(() => 201),
    );
    for (const [at, ask] of asked.entries()) {
      const first = answered.get(ask);
      if (first !== undefined) assert.equal(answers[at]?.text, first);
    }
    const keys = openKeys(APP_KEY);
    const rows = await api.db.selectFrom('exchanges').select('quote_id').execute();
    assert.deepEqual(
      rows.map(({ quote_id }) => quote_id).toSorted(),
      asked.map(({ token }) => readQuote(keys, token).quote_id).toSorted(),
      'one exchange for each quote',
    );
    const { data } = (await admin.get('/api/admin/reserves/reconciliation')).body;
    assert.deepEqual(data.differences, []);
    again.child.kill('SIGTERM');
    assert.deepEqual(await once(again.child, 'exit'), [0, null]);
  });
});

async function liveTransactions(): Promise<number> {
  const [row] = await api.deps.sql<{ live: number }[]>`
    select count(*) as live from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`;
  return row?.live ?? 0;
}
