/** Emails, as admins see them: what was sent, what waits, what failed. Never their secrets. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint, publicReads } from './endpoint.ts';
import { Cursor, cursorQuery, Email, Id, One, Strict, Time } from './wire.ts';

const nullableTime = Type.Union([Time, Type.Null()]);
const nullableString = Type.Union([Type.String(), Type.Null()]);

export const emailStates = ['waiting', 'sent', 'failed'] as const;

export const EmailNote = Type.Object({
  id: Id,
  kind: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  state: Type.Enum(emailStates),
  attempts: Type.Integer(),
  /** The mail server's answer, or the network's error. */
  last_error: nullableString,
  message_id: Type.String(),
  /** What it offers has expired: it cannot be retried. */
  expired: Type.Boolean(),
  sent_at: nullableTime,
  created_at: Time,
});
export type EmailNote = Static<typeof EmailNote>;

const path = '/api/admin/mail';

export const listEmails = endpoint({
  ...adminReads('settings'),
  path,
  summary: 'Emails, the newest first; those of campaigns are listed with their campaign.',
  query: Strict({
    ...cursorQuery,
    state: Type.Optional(Type.Enum(emailStates)),
    recipient: Type.Optional(Type.String({ maxLength: 254 })),
  }),
  reply: Cursor(EmailNote),
});

export const MailStatus = Type.Object({
  /** Where emails go: the environment's server, the settings' one, a local mailbox, or nowhere yet. */
  transport: Type.Enum(['environment', 'settings', 'local', 'none'] as const),
  /** Without user and password. */
  server: nullableString,
  from: Type.String(),
  waiting: Type.Integer(),
  oldest_waiting_at: nullableTime,
  /** Of the newest email that waits for another attempt. */
  last_error: nullableString,
  failed: Type.Integer(),
  /** Of the failed ones: what `retryEmails` retries. */
  retryable: Type.Integer(),
  sent_last_24h: Type.Integer(),
});
export type MailStatus = Static<typeof MailStatus>;

export const getMailStatus = endpoint({
  ...adminReads('settings'),
  path: `${path}/status`,
  summary: 'Where emails go and how many wait.',
  reply: One(MailStatus),
});

export const retryEmail = endpoint({
  ...adminWrites('settings'),
  path: `${path}/{id}/retry`,
  summary: 'Retries a failed email, with its own Message-ID.',
  status: 202,
  params: Strict({ id: Id }),
  reply: One(EmailNote),
  refusals: ['email_not_failed', 'email_expired'],
});

export const retryEmails = endpoint({
  ...adminWrites('settings'),
  path: `${path}/retry`,
  summary:
    'Retries up to a thousand failed emails, the oldest first, but those that are older than seven days, expired or undeliverable; emails that wait for another attempt have it now.',
  status: 202,
  reply: One(Type.Object({ retried: Type.Integer(), left: Type.Integer() })),
});

/** Past the outbox, so that the server's own answer can be shown. */
export const sendTestEmail = endpoint({
  ...adminWrites('settings'),
  path: `${path}/test`,
  throttle: 'email',
  summary: 'Sends a test email now and answers what the server said.',
  body: Strict({ recipient: Email }),
  reply: One(Type.Object({ accepted: Type.Boolean(), answer: Type.String() })),
});

/** The local mailbox as pages; only with `APP_ENV=local`, and only for the machine itself. */
export const openMailbox = endpoint({
  ...publicReads,
  path: '/dev/mail',
  summary: 'The local mailbox, a page: emails of a trial desk without a mail server.',
});

export const openMailboxEmail = endpoint({
  ...publicReads,
  path: '/dev/mail/{id}',
  summary: 'One email of the local mailbox, a page.',
  params: Strict({ id: Id }),
});

export const openMailboxHtml = endpoint({
  ...publicReads,
  path: '/dev/mail/{id}/html',
  summary: 'The HTML of one email, as a mailbox shows it.',
  params: Strict({ id: Id }),
});
