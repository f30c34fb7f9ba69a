/** Taking addresses out of the newsletter for good, with what was written to them. */
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { forgetLettersTo } from '#features/mail/mail.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { CAMPAIGN, skipLettersTo } from './letter-store.ts';
import * as store from './store.ts';

type ForgetDeps = Pick<Deps, 'keys' | 'clock'>;

/** For how long an address that never confirmed is kept. */
const UNCONFIRMED_DAYS = 30;
const KINDS = ['subscribe-confirm', 'subscribe-welcome', CAMPAIGN];

/** @throws {Refusal} 404 */
export function remove(
  { db, keys, clock }: ForgetDeps & Pick<Deps, 'db'>,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<void> {
  return transaction(db, async (tx) => {
    const found = await store.findSubscriber(tx, id);
    if (found === undefined || !(await erase({ keys, clock }, tx, found.email))) throw notFound();
    await record(tx, {
      actor,
      origin,
      action: 'newsletter.subscriber_deleted',
      subject_kind: 'subscriber',
      subject_id: id,
    });
  });
}

/** Takes an address out of the newsletter whose owner deletes their account. */
export async function forgetReader(deps: ForgetDeps, tx: Tx, email: string): Promise<void> {
  await erase(deps, tx, email);
}

/** False where nobody is there with this address. */
async function erase({ keys, clock }: ForgetDeps, tx: Tx, email: string): Promise<boolean> {
  // Rows are locked in one order everywhere: the letter, the reader, the campaign, its counts.
  await forgetLettersTo(tx, email, KINDS);
  const reader = await store.lockByEmail(tx, email);
  if (reader === undefined) return false;
  await skipLettersTo(tx, reader.id);
  await store.deleteSubscriber(tx, reader.id);
  await store.insertForgotten(tx, emailHash(keys, email), clock());
  // What was written while the reader was waited for.
  await forgetLettersTo(tx, email, KINDS);
  return true;
}

/** Addresses that never confirmed are nobody's business for longer; answers how many. */
export function forgetUnconfirmed(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNCONFIRMED_DAYS * DAY);
  return transaction(db, (tx) => store.forgetUnconfirmed(tx, before));
}

/** By which a deleted address is known, so that no import brings it back. */
export function emailHash(keys: Deps['keys'], email: string): Buffer {
  return Buffer.from(keys.sign('forgotten subscribers', email.toLowerCase()), 'base64url');
}
