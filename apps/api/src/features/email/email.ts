/**
 * Emails. One is written in the transaction of what it reports, so it exists exactly when the effect
 * does, and is sent after commit by a job: no request waits for a mail server.
 */
import { HOUR, SECOND } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { JobQueue } from '#platform/jobs/jobs.ts';
import { noMailServer } from '#app/mail-server.ts';
import { read } from '#features/content/settings/settings.ts';
import { countEmail, isProved, type Counted } from './limit.ts';
import { linkTo, messageIdOf, render, transmit } from './outbox.ts';
import {
  findRoute,
  formerRoute,
  isUndeliverable,
  isRefusedForGood,
  type FormerMail,
  type SmtpDeps,
} from './smtp.ts';
import { EMAILS, SEAL } from './queue.ts';
import * as store from './store.ts';
import { oneLine, type RenderedEmail } from './template.ts';

export {
  deleteEmailsOfUser,
  deleteEmailsTo,
  deleteEmailsWithoutUser,
  listEmailsTo,
} from './store.ts';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Text and figures without any secret: they stay in the database, and admins may see them. */
export interface EmailContent {
  /** Of the text; English unless given. */
  readonly language?: string;
  readonly subject: string;
  /** What a mailbox shows beside the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** After the paragraphs, as it is: cleaned HTML, and the same as text. */
  readonly body?: { readonly html: string; readonly text: string };
  readonly facts?: readonly Fact[];
  /** A button. `path` is one of the frontend's, such as `/verify-email`. */
  readonly action?: { readonly label: string; readonly path: string };
  /** A plain link below the button; its address ends in a token that is made when the email is sent. */
  readonly link?: {
    readonly label: string;
    /** Ends with a slash. */
    readonly path: string;
    /** What the token opens: see platform/security/signed-id.ts. */
    readonly signs: { readonly purpose: string; readonly id: Id };
    /** The path of the API, with `{token}`, that a mailbox's unsubscribe button posts to (RFC 8058). */
    readonly oneClick?: string;
  };
  /** Another plain link, whose address opens nothing by itself. */
  readonly more?: { readonly label: string; readonly path: string };
  /** Replies go to the desk's own address. */
  readonly answerable?: true;
  /** By a person to one reader, or to all of a list; else it is automatic (RFC 3834). */
  readonly writtenBy?: 'person' | 'list';
  /** In small print: what to do if this was not you, until when a link works. */
  readonly note?: string;
  /** What to do at the desk's own address, such as "Write to us at once"; the address is added. */
  readonly contact?: string;
}

export interface Recipient {
  readonly email: string;
  readonly userId: Id | null;
  readonly name: string;
  readonly locale: string;
  /** Whether the address is known to be the person's: others get few emails. */
  readonly proved: boolean;
}

export interface Email {
  /** Such as `reset-password`: what admins and the limits tell emails apart by. */
  readonly kind: string;
  readonly to: Recipient;
  readonly content: EmailContent;
  /** Becomes the query `token` of the action's path; sealed until it is sent, and stored nowhere else. */
  readonly secret?: string;
  /** Not sent after this time. */
  readonly expiresAt?: Date;
  /** About a person's money: never limited. */
  readonly essential?: true;
  /** To a person whose data is being deleted: the row is deleted as soon as it is sent. */
  readonly deleteAfterSending?: true;
}

export type EmailDeps = Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>;

/**
 * Enqueues an email, to be sent once `tx` has committed. Answers false, and enqueues nothing, for an
 * address that may not have it or has had too many: see limit.ts.
 * @throws {MissingAppKey} for an email with a secret, or that is not essential.
 */
export async function enqueueEmail(
  { keys, jobs, clock, config }: EmailDeps,
  tx: Tx,
  email: Email,
): Promise<boolean> {
  if (!(await countEmail({ keys, clock }, tx, email))) return false;
  const { kind, to, content, secret, expiresAt, deleteAfterSending = false } = email;
  const id = newId();
  const row = {
    id,
    kind,
    recipient: to.email,
    user_id: to.userId,
    locale: to.locale,
    subject: oneLine(content.subject),
    data: { name: isProved(email) ? to.name : '', content: { ...content } },
    secret: secret === undefined ? null : keys.seal(SEAL, secret, id),
    // Fixed here, so that a repeated delivery is recognized as the same email.
    message_id: messageIdOf(config, id),
    last_error: null,
    expires_at: expiresAt ?? null,
    sent_at: null,
    created_at: clock(),
    delete_after_sending: deleteAfterSending,
  };
  await Promise.all([store.insertEmail(tx, row), jobs.enqueue(tx, EMAILS, { id }, { key: id })]);
  return true;
}

/**
 * `enqueueEmail` for a person who waits for it: without the email nothing is to happen.
 * @throws {Refusal} 429 `too_many_emails`
 */
export async function enqueueEmailOrRefuse(deps: EmailDeps, tx: Tx, email: Email): Promise<void> {
  if (!(await enqueueEmail(deps, tx, email))) throw tooManyEmails(deps.clock());
}

/**
 * Counts an email as `enqueueEmailOrRefuse` does and enqueues none: the answer must be the same.
 * @throws {Refusal} 429 `too_many_emails`
 */
export async function countEmailOrRefuse(
  deps: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  email: Counted,
): Promise<void> {
  if (!(await countEmail(deps, tx, email))) throw tooManyEmails(deps.clock());
}

function tooManyEmails(now: Date): Refusal {
  const waitMs = HOUR - (now.getTime() % HOUR);
  return new Refusal(
    429,
    'too_many_emails',
    'This address has been sent many emails already, so this one was not sent. Try again later.',
    { retryAfterSeconds: Math.ceil(waitMs / SECOND) },
  );
}

/** What became of an email that was handed over directly. `again`: another attempt may succeed. */
export type Handover =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'again' | 'refused' | 'undeliverable'; readonly answer: string };

/** Sends an email of a list at once, without the outbox: its owner has a queue of its own. */
export async function sendToList(
  deps: Deps,
  email: {
    readonly id: Id;
    readonly to: string;
    readonly at: Date;
    readonly content: EmailContent;
  },
): Promise<Handover> {
  try {
    const { id, to, at, content } = email;
    const messageId = messageIdOf(deps.config, id);
    await transmit(deps, {
      id,
      messageId,
      at,
      to: { name: '', address: to },
      content,
      secret: null,
    });
    return { outcome: 'sent' };
  } catch (error) {
    const answer = error instanceof Error ? error.message : String(error);
    if (!isRefusedForGood(error)) return { outcome: 'again', answer };
    return { outcome: isUndeliverable(error) ? 'undeliverable' : 'refused', answer };
  }
}

/** One through the mail server of the settings before a change: see `formerRoute`. */
export interface FormerServerEmail {
  readonly id: Id;
  readonly former: FormerMail;
  readonly to: { readonly name: string; readonly address: string };
  readonly content: EmailContent;
}

/** The former server may be gone, which is why it was changed. */
export function formerServerQueue(deps: Deps): JobQueue {
  return {
    attempts: 5,
    async handler(data) {
      const { id, former, to, content } = data as FormerServerEmail;
      const messageId = messageIdOf(deps.config, id);
      const email = { id, messageId, at: deps.clock(), to, content, secret: null };
      await transmit(deps, email, { route: formerRoute(deps, former) });
    },
    async onFailed() {
      deps.log.warn('The former mail server took no email about the change of the mail server.');
    },
  };
}

/** An email as its recipient would see it, with links whose token opens nothing. */
export function previewEmail(
  deps: Pick<Deps, 'db' | 'published' | 'config'>,
  content: EmailContent,
  recipient = 'reader@example.com',
): Promise<RenderedEmail> {
  const { action } = content;
  return render(deps, content, {
    recipient,
    url: action ? linkTo(deps.config.frontendUrl, action.path, null) : null,
    linkToken: 'preview',
  });
}

/** `noMailServer` where that is so, else null. */
export async function findMailProblem(deps: SmtpDeps): Promise<string | null> {
  const { transport } = await findRoute(deps);
  return transport === 'none' ? noMailServer : null;
}

/** The sender of emails, and where replies to an answerable one go. */
export async function senderOf(deps: SmtpDeps): Promise<{ from: string; answers: string }> {
  const { from, replyTo } = await findRoute(deps);
  const { site_name, contact_email } = await read(deps, 'general');
  return {
    from: `${oneLine(from.name || site_name)} <${from.address}>`,
    answers: replyTo || contact_email,
  };
}
