/**
 * Messages to the desk. What a machine filled in is stored as spam. The sender gets an
 * email that repeats nothing of the message, and few of them: the form must not become
 * a way to write to strangers.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import {
  createContactSubmission,
  type addContactEntry,
  type ContactMessage,
  type ContactNote,
  type MessageState,
  type updateContactSubmission,
} from '@cambist/contract/contact';
import { isPlainText } from '@cambist/contract/visible-text';
import type { By } from '#kernel/actor.ts';
import { newId, type Id } from '#kernel/id.ts';
import { invalid, notFound, Refusal, versionConflict } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { enqueueEmail } from '#features/email/email.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_MESSAGE_MS } from '#platform/security/form-stamp.ts';
import { forgetAnswersNaming } from '#platform/http/idempotency.ts';
import { askOf, pageOf, type ListQuery } from '#platform/db/time-list.ts';
import { emails } from './emails.ts';
import * as store from './store.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'jobs' | 'config'>;

const EXCERPT = 160;
const DELETED_NAME = 'Deleted account';
/** The desk still has to read these. */
const WAITING: ReadonlySet<MessageState> = new Set(['new', 'open']);

/** @throws {Refusal} 503 `site_closed`; 422 */
export async function receive(
  deps: MailDeps & Pick<Deps, 'published'>,
  {
    website,
    stamp,
    topic = 'other',
    exchange_number = '',
    ...typed
  }: BodyOf<typeof createContactSubmission>,
): Promise<{ id: Id; reference: string }> {
  await refuseWhileClosed(deps);
  if (!isPlainText(typed.name)) {
    throw invalid({ name: 'The name field contains characters that cannot be seen.' });
  }
  const created_at = deps.clock();
  const limit = { now: created_at, shortestMs: SHORTEST_MESSAGE_MS };
  const suspected = isSuspected(deps.keys, { website, stamp }, limit);
  return transaction(deps.db, async (tx) => {
    const row = await store.insertSubmission(tx, {
      id: newId(),
      ...typed,
      name: typed.name.trim(),
      topic,
      exchange_number: exchange_number.trim(),
      state: suspected ? 'spam' : 'new',
      suspected,
      created_at,
    });
    const reference = referenceOf(row);
    if (!suspected) {
      await enqueueEmail(deps, tx, {
        kind: 'message-received',
        to: { email: row.email, userId: null, name: '', locale: 'en', proved: false },
        content: emails.received(reference),
      });
    }
    return { id: row.id, reference };
  });
}

/** @throws {Refusal} 422 on `cursor` */
export async function list(db: Db, query: ListQuery<MessageState>) {
  const ask = askOf(query);
  const counts = await store.countSubmissions(db);
  const rows = await store.listSubmissions(db, { ...ask, number: numberOf(query.q) });
  const { page, meta } = pageOf(rows, ask, ({ created_at }) => created_at);
  return { data: page.map(noteOf), meta, counts };
}

const MAX_ABOUT = 20;

/** Messages that name an exchange, oldest first; anyone may have written them. */
export async function listAbout(db: Db | Tx, exchangeNumber: string): Promise<ContactNote[]> {
  return (await store.listAbout(db, exchangeNumber, MAX_ABOUT)).map(noteOf);
}

/** @throws {Refusal} 404 */
export async function get(db: Db | Tx, id: Id): Promise<ContactMessage> {
  const row = await store.findSubmission(db, id);
  if (row === undefined) throw notFound();
  const entries = await store.listEntries(db, id);
  return {
    ...noteOf(row),
    message: row.message,
    version: row.version,
    user_id: await store.findAccount(db, row.email),
    entries: entries.map(({ id: entry, kind, body, author_name, at }) => ({
      id: entry,
      kind,
      body,
      author: author_name,
      at: at.toISOString(),
    })),
  };
}

/** @throws {Refusal} 404; 409 `version_conflict` */
export function update(
  { db }: Pick<Deps, 'db'>,
  by: By,
  id: Id,
  { version, state }: BodyOf<typeof updateContactSubmission>,
): Promise<ContactMessage> {
  return transaction(db, async (tx) => {
    const row = await lockAt(tx, id, version);
    await store.updateSubmission(tx, id, { state, version: version + 1 });
    await forgetIfDone(tx, { ...row, state });
    await audit(tx, by, 'contact.sorted', id, {
      reference: referenceOf(row),
      from: row.state,
      to: state,
    });
    return get(tx, id);
  });
}

/**
 * Adds a note, or a reply that goes out by mail. Its version makes sure that a
 * second press sends no second email.
 * @throws {Refusal} 404; 409 `version_conflict`, `sender_gone`
 */
export function addEntry(
  deps: MailDeps,
  by: By,
  id: Id,
  { version, kind, body }: BodyOf<typeof addContactEntry>,
): Promise<ContactMessage> {
  return transaction(deps.db, async (tx) => {
    const row = await lockAt(tx, id, version);
    if (kind === 'reply' && row.email === '') {
      throw new Refusal(
        409,
        'sender_gone',
        'The sender has deleted the account, so there is no address to answer to.',
      );
    }
    await store.insertEntry(tx, {
      id: newId(),
      submission_id: id,
      kind,
      body,
      author_id: by.actor.id,
      author_name: by.actor.name,
      at: deps.clock(),
    });
    const state = kind === 'reply' ? 'answered' : row.state === 'new' ? 'open' : row.state;
    await store.updateSubmission(tx, id, { state, version: version + 1 });
    if (kind === 'reply') {
      await enqueueEmail(deps, tx, {
        kind: 'message-reply',
        to: { email: row.email, userId: null, name: row.name, locale: 'en', proved: true },
        content: emails.reply(referenceOf(row), body),
        // Written by an admin, and waited for.
        essential: true,
      });
    }
    const action = kind === 'reply' ? 'contact.answered' : 'contact.noted';
    await audit(tx, by, action, id, { reference: referenceOf(row) });
    return get(tx, id);
  });
}

/** @throws {Refusal} 404 */
export function remove({ db }: Pick<Deps, 'db'>, by: By, id: Id): Promise<void> {
  return transaction(db, async (tx) => {
    const row = await store.lockSubmission(tx, id);
    if (row === undefined) throw notFound();
    await store.deleteSubmission(tx, id);
    await forgetAnswersNaming(tx, createContactSubmission, id);
    await audit(tx, by, 'contact.deleted', id, { reference: referenceOf(row) });
  });
}

/**
 * Takes the sender out of the messages from an address whose account is deleted. The text stays
 * until the desk has dealt with it.
 */
export async function forgetSender(tx: Tx, email: string): Promise<void> {
  for (const row of await store.lockSubmissionsOf(tx, email)) {
    // An admin who has it open gets a conflict instead of answering.
    const version = row.version + 1;
    await store.updateSubmission(tx, row.id, { name: DELETED_NAME, email: '', version });
    await forgetIfDone(tx, { ...row, email: '' });
  }
}

/** Topic, state and day of the message are left. */
async function forgetIfDone(
  tx: Tx,
  { id, email, state }: Pick<store.SubmissionRow, 'id' | 'email' | 'state'>,
): Promise<void> {
  if (email !== '' || WAITING.has(state)) return;
  await store.updateSubmission(tx, id, { message: '', exchange_number: '', entry_words: '' });
  await store.deleteEntries(tx, id);
}

async function lockAt(tx: Tx, id: Id, version: number): Promise<store.SubmissionRow> {
  const row = await store.lockSubmission(tx, id);
  if (row === undefined) throw notFound();
  if (row.version !== version) throw versionConflict();
  return row;
}

function referenceOf({ number }: Pick<store.SubmissionRow, 'number'>): string {
  return `MSG-${String(number).padStart(6, '0')}`;
}

/** Of a search that is a reference, or the digits of one; null for any other. */
function numberOf(q = ''): string | null {
  return /^\s*(?:msg[\s-]*)?0*([1-9]\d{0,17})\s*$/i.exec(q)?.[1] ?? null;
}

function noteOf(row: store.SubmissionRow): ContactNote {
  const { id, name, email, topic, exchange_number, message, state, suspected, created_at } = row;
  return {
    id,
    reference: referenceOf(row),
    name,
    email,
    topic,
    exchange_number,
    excerpt: message.replace(/\s+/g, ' ').trim().slice(0, EXCERPT),
    state,
    suspected,
    created_at: created_at.toISOString(),
  };
}

async function audit(
  tx: Tx,
  by: By,
  action: string,
  id: Id,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await record(tx, { ...by, action, subject_kind: 'contact_submission', subject_id: id, data });
}
