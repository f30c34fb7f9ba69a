/**
 * The door to the post: a letter is written in the transaction of what it tells
 * about, so it exists exactly when the effect does, and is sent after commit by
 * a job. No request ever waits for a mail server.
 */
import { SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { read } from '#features/content/settings/settings.ts';
import { countRefused, isProved, mayWrite, nextRoom, type Counting } from './allowance.ts';
import { findWay, type DeliveryDeps } from './delivery.ts';
import { oneLine } from './header.ts';
import type { Letter } from './letter.ts';
import { jobOf, LETTERS, SEAL } from './queue.ts';
import * as store from './store.ts';

export type { Fact, Letter, LetterContent, LettersOwner, Recipient } from './letter.ts';
export { askWhenDue } from './lease.ts';
export { rendered, sendLetter } from './outbox.ts';
export { jobOf } from './queue.ts';

export type PostDeps = Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>;

/**
 * Writes a letter, to be sent once `tx` has committed. Nothing is written, and false answered, to
 * an address that may not have it or has had too many: see allowance.ts.
 * @throws {MissingAppKey} for a letter with a secret, or that is not essential.
 */
export async function post(
  { keys, jobs, clock, config }: PostDeps,
  tx: Tx,
  letter: Letter,
): Promise<boolean> {
  const { kind, to, content, secret, usefulUntil, queue = LETTERS } = letter;
  if (!(await mayWrite({ keys, clock }, tx, letter))) return false;
  const id = letter.id ?? newId();
  const now = clock();
  await store.insertLetter(tx, {
    id,
    kind,
    recipient: to.email,
    user_id: to.userId,
    locale: to.locale,
    subject: oneLine(content.subject),
    data: { name: isProved(letter) ? to.name : '', content: { ...content } },
    secret: secret === undefined ? null : keys.seal(SEAL, secret, id),
    // Made once: whoever receives a letter twice can see that it is the same one.
    message_id: messageIdOf(config, id),
    last_error: null,
    next_attempt_at: now,
    useful_until: usefulUntil ?? null,
    sent_at: null,
    created_at: now,
    queue,
    fleeting: letter.fleeting ?? false,
  });
  await jobs.enqueue(tx, queue, { id }, { key: id });
  return true;
}

/**
 * `post` for a letter that somebody waits for: without it nothing is to happen, and they hear why.
 * @throws {Refusal} 429 `too_many_letters`
 */
export async function postOrRefuse(deps: PostDeps, tx: Tx, letter: Letter): Promise<void> {
  if (!(await post(deps, tx, letter))) throw await tooManyLetters(deps, tx, letter);
}

/**
 * Counts a letter as `postOrRefuse` does and writes none: for who must hear the same.
 * @throws {Refusal} 429 `too_many_letters`
 */
export async function countOrRefuse(
  deps: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  letter: Counting,
): Promise<void> {
  if (!(await mayWrite(deps, tx, letter))) throw await tooManyLetters(deps, tx, letter);
}

async function tooManyLetters(
  deps: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  letter: Counting,
): Promise<Refusal> {
  countRefused(deps, tx, letter);
  const waitMs = (await nextRoom(deps, tx, letter)).getTime() - deps.clock().getTime();
  return new Refusal(
    429,
    'too_many_letters',
    'This address has had many letters already, so this one was not sent. Try again later.',
    { retryAfterSeconds: Math.ceil(waitMs / SECOND) },
  );
}

export function messageIdOf({ frontendUrl }: Pick<Deps['config'], 'frontendUrl'>, id: Id): string {
  return `<${id}@${new URL(frontendUrl).hostname}>`;
}

/** For whoever starts a service whose letters could not go out at all. */
export const noMail =
  'MAIL_URL is not set. In production letters must go out: set it to smtp://user:password@host:port of your mail server.';

/** `noMail` where that is so, else null. */
export async function lackOfMail(deps: DeliveryDeps): Promise<string | null> {
  const { transport } = await findWay(deps);
  return transport === 'none' ? noMail : null;
}

/** Whom letters come from, and where an answer to one that asks for answers goes: for whoever writes one by hand. */
export async function senderOf(deps: DeliveryDeps): Promise<{ from: string; answers: string }> {
  const { from, replyTo } = await findWay(deps);
  const { site_name, contact_email } = await read(deps, 'general');
  const name = oneLine(from.name || site_name);
  return { from: `${name} <${from.address}>`, answers: replyTo || contact_email };
}

/** Takes back letters whose time has come and that nobody is sending just now; answers which. */
export async function withdraw(tx: Tx, ids: readonly Id[], now: Date): Promise<Id[]> {
  return store.deleteWaiting(tx, ids, now);
}

/** Letters whose time has come, and that nobody is sending just now, wait until they are taken up. */
export async function setAside(tx: Tx, ids: readonly Id[], now: Date): Promise<void> {
  await store.setAside(tx, ids, now);
}

/** Letters that were set aside are sent once `tx` has committed. */
export async function takeUp(
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  tx: Tx,
  queue: string,
  ids: readonly Id[],
): Promise<void> {
  await store.takeUp(tx, ids, clock());
  await jobs.enqueueAll(tx, queue, ids.map(jobOf));
}

/** Letters of these kinds to an address that is forgotten. */
export async function forgetLettersTo(
  tx: Tx,
  email: string,
  kinds: readonly string[],
): Promise<void> {
  await store.deleteLettersTo(tx, email, kinds);
}

/** Letters go after 90 days; more than this nobody gets. It bounds what one request can cost. */
const MAX_EXPORT = 10_000;

/** That there were letters to somebody, the newest first, for the export of their account: no words of them. */
export async function lettersTo(db: Db, userId: Id) {
  return store.listLettersTo(db, userId, MAX_EXPORT);
}

/** All that went to an address which belongs to no account, when it is forgotten. */
export async function forgetLettersOfNobodyTo(tx: Tx, email: string): Promise<void> {
  await store.deleteLettersOfNobodyTo(tx, email);
}

/** All letters to somebody whose account is deleted. */
export async function forgetLetters(tx: Tx, userId: Id): Promise<void> {
  await store.deleteLettersOf(tx, userId);
}
