/** Sign-ins that wait for their second step, and challenges for passkeys, by the hash of the session. */
import type { Selectable } from 'kysely';
import type { Id } from '#kernel/id.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { SignInChallengesTable } from '#platform/db/tables.generated.ts';

type ChallengeRow = Selectable<SignInChallengesTable>;

/** A sign-in whose first step is done and whose second is missing. */
export interface PendingSignIn {
  readonly userId: Id;
  readonly remember: boolean;
}

export async function insertPending(
  tx: Tx,
  sessionHash: Buffer,
  { userId, remember }: PendingSignIn,
  expiresAt: Date,
): Promise<void> {
  await tx
    .insertInto('sign_in_challenges')
    .values({
      session_hash: sessionHash,
      user_id: userId,
      remember,
      webauthn_challenge: null,
      expires_at: expiresAt,
    })
    .execute();
}

interface PendingLimits {
  readonly now: Date;
  readonly maxTries: number;
}

/** Null also when all tries are used up: then no proof is checked at all. */
export async function findPending(
  db: Db,
  sessionHash: Buffer,
  { now, maxTries }: PendingLimits,
): Promise<PendingSignIn | null> {
  const row = await db
    .selectFrom('sign_in_challenges')
    .select(['user_id', 'remember'])
    .where('session_hash', '=', sessionHash)
    .where('failures', '<', maxTries)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return pendingOf(row);
}

/** Counts a try before the proof is checked; null when no sign-in waits or its tries are used up. */
export async function countPendingTry(
  db: Db,
  sessionHash: Buffer,
  { now, maxTries }: PendingLimits,
): Promise<PendingSignIn | null> {
  const row = await db
    .updateTable('sign_in_challenges')
    .set((update) => ({ failures: update('failures', '+', 1) }))
    .where('session_hash', '=', sessionHash)
    .where('user_id', 'is not', null)
    .where('failures', '<', maxTries)
    .where('expires_at', '>', now)
    .returning(['user_id', 'remember'])
    .executeTakeFirst();
  return pendingOf(row);
}

/** True for one caller only. */
export async function deletePending(tx: Tx, sessionHash: Buffer): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('sign_in_challenges')
    .where('session_hash', '=', sessionHash)
    .where('user_id', 'is not', null)
    .returning('session_hash')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Stores the challenge that a passkey must sign; a waiting sign-in of this session stays. */
export async function upsertPasskeyChallenge(
  db: Db,
  sessionHash: Buffer,
  challenge: string,
  { now, expiresAt }: { readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    await tx
      .deleteFrom('sign_in_challenges')
      .where('session_hash', '=', sessionHash)
      .where((where) => where.or([where('expires_at', '<=', now), where('user_id', 'is', null)]))
      .execute();
    await tx
      .insertInto('sign_in_challenges')
      .values({
        session_hash: sessionHash,
        user_id: null,
        webauthn_challenge: challenge,
        expires_at: expiresAt,
      })
      .onConflict((conflict) =>
        conflict.column('session_hash').doUpdateSet({ webauthn_challenge: challenge }),
      )
      .execute();
  });
}

/** Returns the challenge and clears it: each is used once, whether the answer is right or wrong. */
export async function takePasskeyChallenge(
  db: Db,
  sessionHash: Buffer,
  now: Date,
): Promise<string | null> {
  return transaction(db, async (tx) => {
    const row = await tx
      .selectFrom('sign_in_challenges')
      .select('webauthn_challenge')
      .where('session_hash', '=', sessionHash)
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst();
    if (!row?.webauthn_challenge) return null;
    await tx
      .updateTable('sign_in_challenges')
      .set({ webauthn_challenge: null })
      .where('session_hash', '=', sessionHash)
      .execute();
    return row.webauthn_challenge;
  });
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_challenges')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function pendingOf(row: Pick<ChallengeRow, 'user_id' | 'remember'> | undefined) {
  return row?.user_id ? { userId: row.user_id, remember: row.remember } : null;
}
