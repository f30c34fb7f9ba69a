import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql as query } from 'kysely';
import { HOUR } from '#kernel/clock.ts';
import { invalid, Refusal } from '#kernel/refusal.ts';
import { openTestDatabase } from '#test/database.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import { forgetIdempotencyKeys, idempotent, type IdempotentAsk } from './idempotency.ts';

const { db } = await openTestDatabase({ after });
await query`create table effects (word text not null)`.execute(db);

describe('idempotent', () => {
  let keys = 0;

  function ask(changes: Partial<IdempotentAsk> = {}): IdempotentAsk {
    keys += 1;
    return {
      actorId: 'someone',
      route: 'POST /api/exchanges',
      key: `key-${keys}`,
      request: { amount: '5.00' },
      status: 201,
      ...changes,
    };
  }

  async function effect(tx: Tx, word: string): Promise<{ word: string; number: string }> {
    await query`insert into effects values (${word})`.execute(tx);
    return { word, number: Math.random().toString() };
  }

  async function effects(word: string): Promise<number> {
    const { rows } = await query<{ count: number }>`
      select count(*)::int as count from effects where word = ${word}`.execute(db);
    return rows[0]?.count ?? -1;
  }

  it('makes one effect and five equal answers of five requests at once', async () => {
    const request = ask();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        idempotent({ db }, request, async (tx) => {
          const made = await effect(tx, 'five');
          await query`select pg_sleep(0.1)`.execute(tx);
          return made;
        }),
      ),
    );
    assert.equal(await effects('five'), 1);
    const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
    assert.equal(bodies.size, 1);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201, 201],
    );
    assert.equal(answers.filter(({ replayed }) => replayed).length, 4);
  });

  it('commits nothing of which no answer can be stored', async () => {
    const request = ask();
    const work = async (tx: Tx) => ({ ...(await effect(tx, 'unstorable')), count: 1n });
    await assert.rejects(idempotent({ db }, request, work), TypeError);
    assert.equal(await effects('unstorable'), 0);
    const again = await idempotent({ db }, request, (tx) => effect(tx, 'unstorable'));
    assert.equal(again.replayed, false);
  });

  it('takes the same fields in another order as the same request', async () => {
    const request = ask({ request: { a: 1, b: { c: 2, d: [3] } } });
    const first = await idempotent({ db }, request, (tx) => effect(tx, 'order'));
    const second = await idempotent(
      { db },
      { ...request, request: { b: { d: [3], c: 2 }, a: 1 } },
      (tx) => effect(tx, 'order'),
    );
    assert.deepEqual(second, { ...first, replayed: true });
    assert.equal(await effects('order'), 1);
  });

  it('refuses the key for another body with 422 and does nothing', async () => {
    const request = ask();
    await idempotent({ db }, request, (tx) => effect(tx, 'other body'));
    await assert.rejects(
      idempotent({ db }, { ...request, request: { amount: '6.00' } }, (tx) =>
        effect(tx, 'other body'),
      ),
      (error: unknown) =>
        error instanceof Refusal &&
        error.status === 422 &&
        error.detail.errors?.['idempotency_key'] !== undefined,
    );
    assert.equal(await effects('other body'), 1);
  });

  it('keeps the same key apart for another person and another route', async () => {
    const request = ask();
    await idempotent({ db }, request, (tx) => effect(tx, 'apart'));
    await idempotent({ db }, { ...request, actorId: 'another' }, (tx) => effect(tx, 'apart'));
    await idempotent({ db }, { ...request, route: 'POST /elsewhere' }, (tx) => effect(tx, 'apart'));
    assert.equal(await effects('apart'), 3);
  });

  it('undoes what a business refusal left and replays the refusal', async () => {
    const request = ask();
    const refuse = async (tx: Tx): Promise<never> => {
      await effect(tx, 'refused');
      throw new Refusal(409, 'insufficient_reserve', 'The reserve is too small.');
    };
    await assert.rejects(
      idempotent({ db }, request, refuse),
      (error: unknown) => error instanceof Refusal && error.detail.replayed === undefined,
    );
    await assert.rejects(
      idempotent({ db }, request, (tx) => effect(tx, 'refused')),
      (error: unknown) =>
        error instanceof Refusal &&
        error.status === 409 &&
        error.code === 'insufficient_reserve' &&
        error.message === 'The reserve is too small.' &&
        error.detail.replayed === true,
    );
    assert.equal(await effects('refused'), 0);
  });

  it('answers requests at once alike where the first is refused and the next is not', async () => {
    const request = ask();
    const { promise: waits, resolve: begun } = Promise.withResolvers<void>();
    const refused = idempotent<{ word: string }>({ db }, request, async (tx) => {
      await effect(tx, 'alike');
      begun();
      await query`select pg_sleep(0.2)`.execute(tx);
      throw new Refusal(409, 'insufficient_reserve', 'The reserve is too small.');
    });
    await waits;
    const behind = idempotent({ db }, request, (tx) => effect(tx, 'alike'));
    const answers = await Promise.allSettled([refused, behind]);
    const [one, other] = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.body : answer.reason.code,
    );
    assert.deepEqual(one, other);
    assert.equal(await effects('alike'), answers[0].status === 'fulfilled' ? 1 : 0);
  });

  it('stores a refusal that a constraint of the database brought about', async () => {
    const request = ask();
    const violate = async (tx: Tx): Promise<never> => {
      try {
        await query`insert into effects values (null)`.execute(tx);
      } catch {
        throw new Refusal(409, 'not_covered', 'Not covered.');
      }
      throw new Error('The constraint did not hold.');
    };
    for (const replayed of [undefined, true]) {
      await assert.rejects(
        idempotent({ db }, request, violate),
        (error: unknown) => error instanceof Refusal && error.detail.replayed === replayed,
      );
    }
  });

  it('does not store a validation failure, a throttle or an outage', async () => {
    for (const failure of [
      invalid({ amount: 'The amount is too small.' }),
      new Refusal(429, 'throttled', 'Too Many Attempts.'),
      new Refusal(503, 'unavailable', 'Later.'),
    ]) {
      const request = ask();
      await assert.rejects(
        idempotent({ db }, request, () => Promise.reject(failure)),
        failure,
      );
      const { replayed } = await idempotent({ db }, request, (tx) => effect(tx, 'not stored'));
      assert.equal(replayed, false);
    }
  });

  it('stores nothing when the work crashes, so the next attempt does it', async () => {
    const request = ask();
    await assert.rejects(
      idempotent({ db }, request, async (tx) => {
        await effect(tx, 'crash');
        throw new Error('a defect');
      }),
      /a defect/,
    );
    assert.equal(await effects('crash'), 0);
    await idempotent({ db }, request, (tx) => effect(tx, 'crash'));
    assert.equal(await effects('crash'), 1);
  });

  it('stores nothing when the connection dies in the middle', async () => {
    const request = ask();
    await assert.rejects(
      idempotent({ db }, request, async (tx) => {
        await effect(tx, 'killed');
        await query`select pg_terminate_backend(pg_backend_pid())`.execute(tx);
        return null;
      }),
    );
    const { replayed } = await idempotent({ db }, request, (tx) => effect(tx, 'killed'));
    assert.equal(replayed, false);
    assert.equal(await effects('killed'), 1);
  });

  it('answers 409 with Retry-After while the first request takes long', async () => {
    const request = ask();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = idempotent({ db }, request, async (tx) => {
      begin();
      await held;
      return effect(tx, 'slow');
    });
    await begun;
    await assert.rejects(
      idempotent({ db }, request, (tx) => effect(tx, 'slow')),
      (error: unknown) =>
        error instanceof Refusal &&
        error.status === 409 &&
        error.code === 'idempotency_in_progress' &&
        (error.detail.retryAfterSeconds ?? 0) > 0,
    );
    release();
    await first;
    assert.equal((await idempotent({ db }, request, (tx) => effect(tx, 'slow'))).replayed, true);
    assert.equal(await effects('slow'), 1);
  });

  it('forgets after 48 hours and not before', async () => {
    const young = ask();
    const old = ask();
    await idempotent({ db }, young, (tx) => effect(tx, 'young'));
    await idempotent({ db }, old, (tx) => effect(tx, 'old'));
    const now = new Date();
    const age = (key: string, ms: number) =>
      transaction(db, (tx) =>
        tx
          .updateTable('idempotency_keys')
          .set({ created_at: new Date(now.getTime() - ms) })
          .where('key', '=', key)
          .execute(),
      );
    await age(young.key, 47 * HOUR);
    await age(old.key, 49 * HOUR);
    assert.equal(await forgetIdempotencyKeys(db).run(now, AbortSignal.any([])), '1 forgotten');
    assert.equal((await idempotent({ db }, young, (tx) => effect(tx, 'young'))).replayed, true);
    assert.equal((await idempotent({ db }, old, (tx) => effect(tx, 'old'))).replayed, false);
  });
});
