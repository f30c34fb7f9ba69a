/** Letters, as admins see them: what went out, what waits, what failed for good. Never their secrets. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Cursor, cursorQuery, Email, Id, One, Strict, Time } from './wire.ts';

const nullableTime = Type.Union([Time, Type.Null()]);

export const letterStates = ['waiting', 'sent', 'dead'] as const;

export const LetterNote = Type.Object({
  id: Id,
  kind: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  state: Type.Enum(letterStates),
  attempts: Type.Integer(),
  last_error: Type.Union([Type.String(), Type.Null()]),
  next_attempt_at: nullableTime,
  message_id: Type.String(),
  /** What it offers has expired: it is not sent any more, whoever asks. */
  outdated: Type.Boolean(),
  sent_at: nullableTime,
  created_at: Time,
});
export type LetterNote = Static<typeof LetterNote>;

export const listLetters = endpoint({
  method: 'GET',
  path: '/api/admin/mail',
  scope: 'admin',
  permission: 'settings',
  throttle: 'read',
  summary: 'Letters, the newest first.',
  status: 200,
  query: Strict({
    ...cursorQuery,
    state: Type.Optional(Type.Enum(letterStates)),
    recipient: Type.Optional(Type.String({ maxLength: 254 })),
  }),
  reply: Cursor(LetterNote),
});

export const MailStatus = Type.Object({
  /** Where letters go: the environment's server, the settings' one, a local mailbox, or nowhere yet. */
  transport: Type.Enum(['environment', 'settings', 'local', 'none'] as const),
  /** Without user and password. */
  server: Type.Union([Type.String(), Type.Null()]),
  from: Type.String(),
  waiting: Type.Integer(),
  oldest_waiting_at: nullableTime,
  /** Without those of campaigns. */
  dead: Type.Integer(),
  /** Letters of campaigns that came to nothing; they are listed too, and never tried again together. */
  dead_of_campaigns: Type.Integer(),
  /** Of the dead ones: what `replayLetters` tries. */
  dead_to_try: Type.Integer(),
  oldest_dead_at: nullableTime,
  sent_last_24h: Type.Integer(),
  /** Not written, since their address had many already; also where whoever asked was told so (429). */
  dropped_last_24h: Type.Integer(),
  /** The same by kind, the most first. */
  dropped_kinds: Type.Array(Type.Object({ kind: Type.String(), letters: Type.Integer() })),
});
export type MailStatus = Static<typeof MailStatus>;

export const getMailStatus = endpoint({
  method: 'GET',
  path: '/api/admin/mail/status',
  scope: 'admin',
  permission: 'settings',
  throttle: 'read',
  summary: 'Where letters go and how many wait.',
  status: 200,
  reply: One(MailStatus),
});

export const replayLetter = endpoint({
  method: 'POST',
  path: '/api/admin/mail/{id}/replay',
  scope: 'admin',
  permission: 'settings',
  throttle: 'write',
  summary: 'Tries a dead letter again, under its own Message-ID.',
  status: 202,
  params: Strict({ id: Id }),
  reply: One(LetterNote),
  refusals: ['letter_not_dead', 'letter_outdated'],
});

/** Up to a thousand at once, the oldest first. */
export const replayLetters = endpoint({
  method: 'POST',
  path: '/api/admin/mail/replay',
  scope: 'admin',
  permission: 'settings',
  throttle: 'write',
  summary:
    'Tries all dead letters again, but what is older than seven days, what has expired, what has no mailbox, and campaigns.',
  status: 202,
  reply: One(Type.Object({ tried: Type.Integer(), left: Type.Integer() })),
});

/** Sent at once, not through the outbox, so that the server's own words can be shown. */
export const sendTestLetter = endpoint({
  method: 'POST',
  path: '/api/admin/mail/test',
  scope: 'admin',
  permission: 'settings',
  throttle: 'letter',
  summary: 'Sends a test letter now and tells what the server said.',
  status: 200,
  body: Strict({ recipient: Email }),
  reply: One(Type.Object({ accepted: Type.Boolean(), answer: Type.String() })),
});

/** The local mailbox as pages; there only with `APP_ENV=local`, and only for the machine itself. */
export const openMailbox = endpoint({
  method: 'GET',
  path: '/dev/mail',
  scope: 'public',
  throttle: 'read',
  summary: 'The local mailbox, a page: letters of a trial desk without a mail server.',
  status: 200,
});

export const openKeptLetter = endpoint({
  method: 'GET',
  path: '/dev/mail/{id}',
  scope: 'public',
  throttle: 'read',
  summary: 'One letter of the local mailbox, a page.',
  status: 200,
  params: Strict({ id: Id }),
});

export const openKeptHtml = endpoint({
  method: 'GET',
  path: '/dev/mail/{id}/html',
  scope: 'public',
  throttle: 'read',
  summary: 'The HTML of one letter, as a mailbox shows it.',
  status: 200,
  params: Strict({ id: Id }),
});
