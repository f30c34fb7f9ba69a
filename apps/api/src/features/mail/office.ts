/** What admins do with letters: look what became of them, try a dead one again, test the server. */
import type { LetterNote, MailStatus } from '@cambist/contract/mail';
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY, SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import { listDropped } from './allowance.ts';
import { deliver, findWay } from './delivery.ts';
import { testLetter } from './mails.ts';
import { messageIdOf } from './mail.ts';
import { rendered } from './outbox.ts';
import { jobOf, LETTERS } from './queue.ts';
import * as store from './store.ts';

const PER_PAGE = 50;
/** What one request can ask for; whoever has more failed letters presses again. */
const MOST_AT_ONCE = 1000;
/** Less than a request may take, so that the answer is ours. */
const TEST_PATIENCE_MS = 12 * SECOND;

export interface LettersQuery {
  readonly state?: LetterNote['state'];
  readonly recipient?: string;
  readonly cursor?: string;
  readonly per_page?: number;
}

/** One page of letters, the newest first. @throws {Refusal} 422 on `cursor` */
export async function listLetters(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { state, recipient, cursor, per_page = PER_PAGE }: LettersQuery,
): Promise<{ data: LetterNote[]; meta: { next_cursor: string | null; per_page: number } }> {
  const rows = await store.listLetters(db, {
    state,
    recipient: recipient?.trim() || undefined,
    after: cursor === undefined ? null : readTimeCursor(cursor),
    limit: per_page + 1,
  });
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next = last ? writeTimeCursor({ at: last.created_at, id: last.id }) : null;
  const now = clock();
  return {
    data: page.map((row) => noteOf(row, now)),
    meta: { next_cursor: next, per_page },
  };
}

function noteOf(row: store.LetterNoteRow, now: Date): LetterNote {
  const { useful_until, next_attempt_at, sent_at, created_at, ...rest } = row;
  return {
    ...rest,
    outdated: isOutdated(useful_until, now),
    next_attempt_at: next_attempt_at?.toISOString() ?? null,
    sent_at: sent_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
  };
}

function isOutdated(usefulUntil: Date | null, now: Date): boolean {
  return usefulUntil !== null && usefulUntil <= now;
}

export async function mailStatus(deps: Deps): Promise<MailStatus> {
  const way = await findWay(deps);
  const general = await read(deps, 'general');
  const counts = await store.countLetters(deps.db, new Date(deps.clock().getTime() - DAY));
  const dropped = await listDropped(deps.db, deps.clock());
  const dead = await store.countWorthTrying(deps.db, deps.clock());
  const { host, port } = way.server ?? {};
  return {
    transport: way.transport,
    server: host === undefined ? null : `${host.includes(':') ? `[${host}]` : host}:${port}`,
    from: `${way.from.name || general.site_name} <${way.from.address}>`,
    ...counts,
    dead_to_try: dead.dead_to_try,
    oldest_dead_at: dead.oldest_dead_at?.toISOString() ?? null,
    dropped_last_24h: dropped.reduce((sum, { letters }) => sum + letters, 0),
    dropped_kinds: dropped,
    oldest_waiting_at: counts.oldest_waiting_at?.toISOString() ?? null,
  };
}

/**
 * Tries a dead letter again, under its own Message-ID.
 * @throws {Refusal} 404; 409 `letter_not_dead`, `letter_outdated`
 */
export async function replay(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<LetterNote> {
  const now = clock();
  return transaction(db, async (tx) => {
    const revived = await store.reviveLetter(tx, id, now);
    if (!revived) {
      if (!(await store.findLetter(tx, id))) throw notFound();
      throw new Refusal(409, 'letter_not_dead', 'Only a dead letter can be tried again.');
    }
    if (isOutdated(revived.useful_until, now))
      throw new Refusal(409, 'letter_outdated', 'What this letter offers has expired.');
    await jobs.enqueue(tx, revived.queue, { id }, { key: id });
    await record(tx, {
      actor,
      origin,
      action: 'mail.replayed',
      subject_kind: 'letter',
      subject_id: id,
      data: { kind: revived.kind },
    });
    const {
      data: _data,
      secret: _secret,
      user_id: _user,
      locale: _locale,
      queue: _queue,
      gone: _gone,
      fleeting: _fleeting,
      ...row
    } = revived;
    return noteOf(row, now);
  });
}

/**
 * Tries all dead letters again but those older than seven days, whose offer has expired, whose
 * mailbox is not there, and those of campaigns, which count what became of them.
 */
export async function replayAll(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  actor: Actor,
  origin: Origin,
): Promise<{ tried: number; left: number }> {
  const now = clock();
  return transaction(db, async (tx) => {
    const revived = await store.reviveAll(tx, now, MOST_AT_ONCE);
    await jobs.enqueueAll(tx, LETTERS, revived.map(jobOf));
    const tried = revived.length;
    if (tried > 0) {
      await record(tx, { actor, origin, action: 'mail.replayed_all', data: { letters: tried } });
    }
    return { tried, left: (await store.countWorthTrying(tx, now)).dead_to_try };
  });
}

/** Sends a letter now and tells what the server said, whichever way it went. */
export async function sendTest(
  deps: Deps,
  actor: Actor,
  origin: Origin,
  recipient: string,
): Promise<{ accepted: boolean; answer: string }> {
  const content = testLetter((await read(deps, 'general')).site_name);
  const id = newId();
  const outgoing = {
    ...(await rendered(deps, content, { recipient, url: null, linkToken: null })),
    id,
    messageId: messageIdOf(deps.config, id),
    date: deps.clock(),
    to: { name: actor.name, address: recipient },
    subject: content.subject,
  };
  const result = await deliver(deps, outgoing, { longestMs: TEST_PATIENCE_MS }).then(
    (answer) => ({ accepted: true, answer }),
    (error: unknown) => ({
      accepted: false,
      answer: error instanceof Error ? error.message : String(error),
    }),
  );
  await record(deps.db, {
    actor,
    origin,
    action: 'mail.tested',
    subject_kind: 'letter',
    subject_id: id,
    data: { accepted: result.accepted },
  });
  return result;
}
