/**
 * A repeated request gets the first answer again and has no second effect. The key's row is inserted in the
 * transaction of the effect: a crash leaves neither, and a concurrent request with the same key waits for
 * the first and replays its answer.
 */
import { createHash } from 'node:crypto';
import type { Endpoint } from '@cambist/contract/endpoint';
import { sql } from 'kysely';
import { canonical } from '#kernel/canonical.ts';
import { HOUR } from '#kernel/clock.ts';
import { invalid, Refusal, type RefusalDetail } from '#kernel/refusal.ts';
import {
  allowWithCommit,
  sqlState,
  transaction,
  transactionWithLast,
  type Db,
  type Tx,
} from '#platform/db/database.ts';
import type { Task } from '#platform/jobs/scheduler.ts';

export interface IdempotentAsk {
  readonly actorId: string;
  /** Method and path pattern: keys are per route. */
  readonly route: string;
  /** The header's value, 1 to 255 visible characters. */
  readonly key: string;
  /** Path parameters and body. */
  readonly request: unknown;
  /** The status of success. */
  readonly status: number;
}

export interface IdempotentAnswer<T> {
  readonly status: number;
  /** As stored, so that the first answer equals its replays. */
  readonly body: T;
  readonly replayed: boolean;
}

interface StoredRefusal extends RefusalDetail {
  readonly code: string;
  readonly message: string;
}

const KEEP_MS = 48 * HOUR;
const PURGE_BATCH = 5000;
const RETRY_AFTER_SECONDS = 2;
const LOCK_NOT_AVAILABLE = '55P03';
/** A repetition may be answered differently, so these are not stored. */
const NOT_STORED = new Set([401, 403, 422, 429, 503]);

/**
 * Does `work` once for a key; a repetition gets the first result again, a value or a refusal. A refusal
 * rolls back what `work` wrote; on a replay it has `detail.replayed`.
 * @throws {Refusal} 422 when the key was used for another request; 409
 *   `idempotency_in_progress` while the first one runs.
 */
export async function idempotent<T>(
  { db }: { readonly db: Db },
  ask: IdempotentAsk,
  work: (tx: Tx) => Promise<T>,
): Promise<IdempotentAnswer<T>> {
  const hash = createHash('sha256').update(canonical(ask.request)).digest();
  let isClaimed = false;
  try {
    return await transactionWithLast(
      db,
      async (tx): Promise<{ text: string } | { answer: IdempotentAnswer<T> }> => {
        // Again at each attempt: in a later one, another request may have the key.
        isClaimed = false;
        if (!(await claimKey(tx, ask, hash))) return { answer: await replay<T>(tx, ask, hash) };
        isClaimed = true;
        if (!db.isTransaction) allowWithCommit(tx);
        // What cannot be written must fail before the commit is sent.
        return { text: jsonOf(await work(tx)) };
      },
      async (tx, result) => {
        if ('answer' in result) return result.answer;
        const body = await store<T>(tx, ask, ask.status, result.text);
        return { status: ask.status, body, replayed: false };
      },
    );
  } catch (error) {
    if (!isClaimed || !(error instanceof Refusal) || NOT_STORED.has(error.status)) throw error;
    // What `work` wrote is undone. Meanwhile another request with the key may have run.
    const other = await transaction(db, async (tx) => {
      if (!(await claimKey(tx, ask, hash))) return replay<T>(tx, ask, hash);
      await store(tx, ask, error.status, jsonOf(refusalBody(error)));
      return null;
    });
    if (other === null) throw error;
    return other;
  }
}

interface Named {
  readonly params: unknown;
  readonly body: unknown;
  readonly actor: { readonly id: string } | null;
  readonly idempotencyKey: string;
}

type Keyed = Pick<Endpoint, 'method' | 'path' | 'status'>;

/** A request to an endpoint by its key. */
export function keyedAsk(
  { method, path, status }: Keyed,
  { params, body, actor, idempotencyKey: key }: Named,
): IdempotentAsk {
  const request = { params: params ?? null, body: body ?? null };
  return { actorId: actor?.id ?? '', route: `${method} ${path}`, key, request, status };
}

/**
 * Does `work` once for a key, or every time without one. Only its result is stored, such as an id; `read`
 * makes each answer from the current data, so that no personal data outlives its record under a key.
 */
export async function onceNamed<D extends { readonly db: Db }, Done, Reply>(
  deps: D,
  endpoint: Keyed,
  named: Named,
  work: (deps: D) => Promise<Done>,
  read: (done: Done) => Promise<Reply>,
): Promise<IdempotentAnswer<Reply>> {
  if (named.idempotencyKey === '')
    return { status: endpoint.status, body: await read(await work(deps)), replayed: false };
  const ask = keyedAsk(endpoint, named);
  const answer = await idempotent(deps, ask, (tx) => work({ ...deps, db: tx }));
  return { ...answer, body: await read(answer.body) };
}

/** False when the key was used before. Waits for another transaction that is using it now. */
async function claimKey(
  tx: Tx,
  { actorId, route, key }: IdempotentAsk,
  hash: Buffer,
): Promise<boolean> {
  try {
    const inserted = await tx
      .insertInto('idempotency_keys')
      .values({ actor: actorId, route, key, request_hash: hash, status: null, body: null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return inserted.numInsertedOrUpdatedRows === 1n;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) throw inProgress();
    throw error;
  }
}

async function replay<T>(
  tx: Tx,
  { actorId, route, key }: IdempotentAsk,
  hash: Buffer,
): Promise<IdempotentAnswer<T>> {
  const stored = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('actor', '=', actorId)
    .where('route', '=', route)
    .where('key', '=', key)
    .executeTakeFirst();
  // Purged at this moment: the next attempt finds the key free.
  if (stored === undefined || stored.status === null) throw inProgress();
  if (!hash.equals(stored.request_hash)) {
    throw invalid({ idempotency_key: 'The Idempotency-Key was already used for another request.' });
  }
  if (stored.status >= 400) {
    const { code, message, ...detail } = stored.body as StoredRefusal;
    throw new Refusal(stored.status, code, message, { ...detail, replayed: true });
  }
  return { status: stored.status, body: stored.body as T, replayed: true };
}

const jsonOf = (body: unknown) => JSON.stringify(body ?? null);

async function store<T>(tx: Tx, ask: IdempotentAsk, status: number, json: string): Promise<T> {
  const { rows } = await sql<{ body: T }>`
    update idempotency_keys set status = ${status}, body = ${json}::text::jsonb
    where actor = ${ask.actorId} and route = ${ask.route} and key = ${ask.key}
    returning body`.execute(tx);
  return rows[0]?.body as T;
}

function refusalBody({ code, message, detail }: Refusal): StoredRefusal {
  const { internal: _log, ...shown } = detail;
  return { code, message, ...shown };
}

function inProgress(): Refusal {
  return new Refusal(
    409,
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still being processed. Try again in a moment.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}

/** Deletes the stored answers of a user. */
export async function forgetAnswersFor(tx: Tx, actorId: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('actor', '=', actorId).execute();
}

/** Deletes the stored answers to guests that name a record, together with the record. */
export async function forgetAnswersNaming(
  tx: Tx,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  id: string,
): Promise<void> {
  await tx
    .deleteFrom('idempotency_keys')
    .where('actor', '=', '')
    .where('route', '=', `${method} ${path}`)
    .where(sql`body ->> 'id'`, '=', id)
    .execute();
}

export function forgetIdempotencyKeys(db: Db): Task {
  return {
    name: 'forget-idempotency-keys',
    cron: '23 * * * *',
    async run(now) {
      const before = new Date(now.getTime() - KEEP_MS);
      let forgotten = 0n;
      for (;;) {
        // In batches: a long statement would be cancelled and delete nothing.
        const { numAffectedRows = 0n } = await sql`
          delete from idempotency_keys where (actor, route, key) in (
            select actor, route, key from idempotency_keys where created_at < ${before}
            order by created_at limit ${PURGE_BATCH})`.execute(db);
        forgotten += numAffectedRows;
        if (numAffectedRows < BigInt(PURGE_BATCH)) return `${forgotten} forgotten`;
      }
    },
  };
}
