import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDeps } from '#app/open.ts';
import { makeAdmin } from '#features/auth/admin/admin-account.ts';
import type { Client, Json } from '#test/client.ts';
import { act, done } from '#test/factories/acts.ts';
import {
  claim,
  create,
  openDesk,
  startTestDesk,
  submitted,
  upload,
} from '#test/factories/exchange.ts';
import { startTestApi } from '#test/harness.ts';

const { api, admin } = await startTestDesk({ after });
const { client: owner } = await api.asMember();
const { client: stranger } = await api.asMember();

/** A stream that never ends fails only its own test. */
const patient = { timeout: 15_000 };

/** Follows like a page; `next` resolves with the next event's data. */
async function follow(client: Client, number: string, stop = new AbortController()) {
  return followAt(client, `/api/exchanges/${number}/events`, stop);
}

async function followAt(client: Client, path: string, stop = new AbortController()) {
  const response = await fetch(`${await api.url()}${path}`, {
    headers: {
      origin: 'http://localhost:4000',
      cookie: [...client.jar].map((pair) => pair.join('=')).join('; '),
    },
    signal: stop.signal,
  });
  const chunks = response.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = '';
  return {
    response,
    stop,
    /** Null when the stream ended. */
    async next(): Promise<{ version: number; state: string } | null> {
      for (;;) {
        const event = /event: exchange\ndata: (.*)\n\n/.exec(text);
        if (event?.[1] !== undefined) {
          text = text.slice(event.index + event[0].length);
          return JSON.parse(event[1]);
        }
        const chunk = await chunks?.next();
        if (!chunk || chunk.done) return null;
        text += chunk.value;
      }
    },
  };
}

describe('GET /api/admin/exchanges/events', () => {
  it(
    'sends the changes of all exchanges to operators, and ends with their permission',
    patient,
    async () => {
      const path = '/api/admin/exchanges/events';
      assert.equal((await owner.get(path)).status, 403);
      const { client: operator, user } = await api.asAdmin({ permissions: ['desk'] });
      const page = await followAt(operator, path);
      const { number } = await submitted(owner);
      // Created, proven, submitted.
      const seen = [await page.next(), await page.next(), await page.next()];
      assert.ok(
        seen.every((each) => (each as Json | null)?.['number'] === number),
        JSON.stringify(seen),
      );
      assert.deepEqual(
        seen.map((each) => (each as Json | null)?.['queue']),
        [null, null, 'to_review'],
      );
      await claim(operator, { number, version: 2 });
      const claimed = (await page.next()) as Json | null;
      assert.deepEqual([claimed?.['queue'], claimed?.['own']], [null, true]);
      const role = { role: 'admin', permissions: ['content'] };
      assert.equal((await admin.put(`/api/admin/users/${user.id}/role`, role)).status, 200);
      assert.equal(await page.next(), null);
    },
  );

  it('says that an approval with completion left an excess to refund', patient, async () => {
    await api.deps.sql`update pairs set complete_on_approval = true`;
    const taken = await claim(admin, await submitted(owner));
    await api.deps.sql`update pairs set complete_on_approval = false`;
    const page = await followAt(admin, '/api/admin/exchanges/events');
    await done(
      act(admin, taken, '/approval', {
        received_amount: '130.00',
        difference: 'refund_excess',
        payout_reference: 'OUT-1',
      }),
    );
    const seen = [];
    // The change of the claim may still be on its way.
    do seen.push((await page.next()) as Json | null);
    while (seen.at(-1)?.['state'] === 'under_review');
    page.stop.abort();
    const [last] = seen.slice(-1);
    assert.deepEqual([last?.['state'], last?.['queue']], ['completed', 'to_refund']);
  });
});

describe('GET /api/exchanges/{number}/events', () => {
  it('sends the state of the exchange and each change', async () => {
    const exchange = await create(owner);
    const other = await create(owner);
    const page = await follow(owner, exchange.number);
    assert.equal(page.response.status, 200);
    assert.equal(page.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(page.response.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await page.next(), { version: 1, state: 'awaiting_payment' });
    await upload(owner, other.number);
    await upload(owner, exchange.number);
    assert.deepEqual(
      await page.next(),
      { version: 1, state: 'awaiting_payment' },
      'its own proof, not the other one',
    );
    await owner.post(`/api/exchanges/${exchange.number}/submission`, { version: 1 }, { key: true });
    assert.deepEqual(await page.next(), { version: 2, state: 'payment_submitted' });
    await claim(admin, { number: exchange.number, version: 2 });
    assert.deepEqual(await page.next(), { version: 3, state: 'under_review' });
    page.stop.abort();
  });

  it('has the CORS headers for a page with cookies', async () => {
    const page = await follow(owner, (await submitted(owner)).number);
    assert.equal(page.response.headers.get('access-control-allow-origin'), 'http://localhost:4000');
    assert.equal(page.response.headers.get('access-control-allow-credentials'), 'true');
    page.stop.abort();
  });

  it('is refused to other customers (404), guests (401) and a ninth page (429)', async () => {
    const { client } = await api.asMember();
    const { number } = await create(client);
    assert.equal((await stranger.get(`/api/exchanges/${number}/events`)).status, 404);
    assert.equal((await api.client().get(`/api/exchanges/${number}/events`)).status, 401);
    const pages = await Promise.all(Array.from({ length: 8 }, () => follow(client, number)));
    assert.ok(pages.every(({ response }) => response.status === 200));
    const ninth = await client.get(`/api/exchanges/${number}/events`);
    assert.deepEqual([ninth.status, ninth.body.code], [429, 'too_many_streams']);
    for (const page of pages) page.stop.abort();
    // A closed page frees its place.
    for (let tries = 0; ; tries += 1) {
      const page = await follow(client, number);
      page.stop.abort();
      if (page.response.status === 200) break;
      assert.ok(tries < 1000);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('sends heartbeats, and ends when the session has expired', patient, async (t) => {
    const { client, user } = await api.asMember();
    const { number } = await create(client);
    t.mock.timers.enable({ apis: ['setInterval'] });
    const page = await follow(client, number);
    await page.next();
    t.mock.timers.tick(20_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await upload(client, number);
    assert.notEqual(await page.next(), null, 'still signed in, so still notified');
    // An expiry has no notice.
    await api.db.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    t.mock.timers.tick(20_000);
    // Earlier events may still arrive before the end.
    while ((await page.next()) !== null);
  });

  // Their time-out is shorter than the heartbeat, so only the notice can end the streams.
  it('ends at once with its session, not with others', patient, async () => {
    const person = { email: 'two-browsers@example.com' };
    const { client } = await api.asMember(person);
    const { number } = await create(client);
    const elsewhere = api.client();
    await elsewhere.signIn(person.email);
    const [page, other] = [await follow(client, number), await follow(elsewhere, number)];
    assert.notEqual(await page.next(), null);
    assert.notEqual(await other.next(), null);
    assert.equal((await client.post('/api/auth/signout')).status, 204);
    while ((await page.next()) !== null);
    await upload(elsewhere, number);
    assert.notEqual(await other.next(), null, 'the other browser is still notified');
    other.stop.abort();
  });

  it('ends at once when another process ends all sessions of the user', patient, async (t) => {
    const { client, user } = await api.asMember();
    const { number } = await create(client);
    const pages = [await follow(client, number), await follow(client, number)];
    for (const page of pages) assert.notEqual(await page.next(), null);
    const { deps, close } = openDeps({ config: api.deps.config, databaseUrl: api.databaseUrl });
    t.after(close);
    const account = { email: user.email, passwordHash: 'x', reset: false };
    assert.deepEqual(await makeAdmin(deps, account), { done: 'promoted', role: 'admin' });
    for (const page of pages) while ((await page.next()) !== null);
  });

  it('logs nothing when a reader disconnects', patient, async (t) => {
    const { number } = await create(owner);
    const said: unknown[] = [];
    for (const level of ['warn', 'error'] as const) {
      t.mock.method(api.deps.log, level, (...words: unknown[]) => said.push(words));
    }
    const page = await follow(owner, number);
    await page.next();
    page.stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(said, []);
  });

  it('ends when the service stops', patient, async (t) => {
    const own = await startTestApi(t);
    const { client: boss } = await own.asAdmin();
    await openDesk(boss);
    const { client } = await own.asMember();
    const { number } = await create(client);
    const response = await fetch(`${await own.url()}/api/exchanges/${number}/events`, {
      headers: { cookie: [...client.jar].map((pair) => pair.join('=')).join('; ') },
    });
    const text = response.text();
    await Promise.all([own.app.close(), text.catch(() => '')]);
  });
});
