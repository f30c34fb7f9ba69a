/** What admins do with emails: look what became of them, retry failed ones, test the mail server. */
import type { EmailNote, MailStatus } from '@cambist/contract/email';
import type { By } from '#kernel/actor.ts';
import { SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { transaction } from '#platform/db/database.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import type { Deps } from '#platform/deps.ts';
import { record } from '#features/audit/audit.ts';
import { read } from '#features/content/settings/settings.ts';
import { messageIdOf, transmit } from './outbox.ts';
import { EMAILS } from './queue.ts';
import { findRoute } from './smtp.ts';
import * as store from './store.ts';

/** What one request can ask for; with more failed emails it is asked again. */
const RETRIED_AT_ONCE = 1000;
/** Shorter than a request may take, so that the answer is ours. */
const TEST_IDLE_MS = 8 * SECOND;

/** One page of emails, the newest first. @throws {Refusal} 422 on `cursor` */
export async function listEmails(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { recipient, ...query }: ListQuery<EmailNote['state']> & { readonly recipient?: string },
) {
  const ask = askOf(query);
  const rows = await store.listEmails(db, { ...ask, recipient: recipient?.trim() || undefined });
  const { page, meta } = pageOf(rows, ask, (row) => row.created_at);
  return { data: page.map((row) => noteOf(row, clock())), meta };
}

function noteOf(row: store.ListedEmailRow, now: Date): EmailNote {
  const { id, kind, recipient, subject, state, attempts, last_error, message_id } = row;
  return {
    id,
    kind,
    recipient,
    subject,
    state,
    attempts,
    last_error,
    message_id,
    expired: isExpired(row, now),
    sent_at: row.sent_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function isExpired({ expires_at }: Pick<store.EmailRow, 'expires_at'>, now: Date): boolean {
  return expires_at !== null && expires_at <= now;
}

export async function mailStatus(deps: Deps): Promise<MailStatus> {
  const { transport, server, from } = await findRoute(deps);
  const { site_name } = await read(deps, 'general');
  const { oldest_waiting_at, ...counts } = await store.summarize(deps.db, deps.clock());
  return {
    transport,
    server:
      server && `${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`,
    from: `${from.name || site_name} <${from.address}>`,
    ...counts,
    oldest_waiting_at: oldest_waiting_at?.toISOString() ?? null,
  };
}

/**
 * Retries a failed email, with its own Message-ID.
 * @throws {Refusal} 404; 409 `email_not_failed`, `email_expired`
 */
export async function retryEmail(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  by: By,
  id: Id,
): Promise<EmailNote> {
  const now = clock();
  return transaction(db, async (tx) => {
    const email = await store.requeueFailed(tx, id);
    if (!email) {
      if (!(await store.findEmail(tx, id))) throw notFound();
      throw new Refusal(409, 'email_not_failed', 'Only a failed email can be retried.');
    }
    if (isExpired(email, now)) {
      throw new Refusal(409, 'email_expired', 'What this email offers has expired.');
    }
    await jobs.enqueue(tx, EMAILS, { id }, { key: id });
    const about = { action: 'email.retried', subject_kind: 'email', subject_id: id };
    await record(tx, { ...by, ...about, data: { kind: email.kind } });
    return noteOf(email, now);
  });
}

/**
 * Retries all failed emails that are younger than seven days, have not expired and are deliverable;
 * and lets those that wait for another attempt have it now.
 */
export async function retryAll(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  by: By,
): Promise<{ retried: number; left: number }> {
  const now = clock();
  return transaction(db, async (tx) => {
    const ids = await store.requeueAllFailed(tx, now, RETRIED_AT_ONCE);
    await jobs.enqueueAll(
      tx,
      EMAILS,
      ids.map((id) => ({ key: id, data: { id } })),
    );
    await jobs.retryNow(tx, EMAILS);
    await record(tx, { ...by, action: 'email.retried_all', data: { emails: ids.length } });
    return { retried: ids.length, left: (await store.summarize(tx, now)).retryable };
  });
}

/** Sends a test email now, past the outbox, and answers what the server said either way. */
export async function sendTest(
  deps: Deps,
  by: By,
  recipient: string,
): Promise<{ accepted: boolean; answer: string }> {
  const { site_name } = await read(deps, 'general');
  const id = newId();
  const content = {
    subject: `A test email from ${site_name}`,
    preview: 'Emails from this desk arrive.',
    heading: 'Emails arrive',
    paragraphs: [
      `An admin of ${site_name} sent this email to test the mail server. It works.`,
      'Nothing needs to be done.',
    ],
  };
  const result = await transmit(
    deps,
    {
      id,
      messageId: messageIdOf(deps.config, id),
      at: deps.clock(),
      to: { name: by.actor.name, address: recipient },
      content,
      secret: null,
    },
    { idleMs: TEST_IDLE_MS },
  ).then(
    (answer) => ({ accepted: true, answer }),
    (error: unknown) => ({
      accepted: false,
      answer: error instanceof Error ? error.message : String(error),
    }),
  );
  const about = { action: 'email.tested', subject_kind: 'email', subject_id: id };
  await record(deps.db, { ...by, ...about, data: { accepted: result.accepted } });
  return result;
}
