/** Messages to the desk: written in the contact form, answered from the inbox. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint, publicWrites } from './endpoint.ts';
import { Bait } from './feature-reports.ts';
import { Stamp } from './form-stamp.ts';
import { Cursor, cursorQuery, Email, Id, One, Strict, Time, Version, Words } from './wire.ts';

export const contactTopics = ['exchange', 'account', 'rates', 'press', 'other'] as const;
export type ContactTopic = (typeof contactTopics)[number];

export const createContactSubmission = endpoint({
  ...publicWrites,
  path: '/api/contact-submissions',
  throttle: 'report',
  summary:
    'Writes to the desk. The sender gets an email that it arrived, which repeats none of it.',
  status: 201,
  body: Strict({
    name: Words(1, 100),
    email: Email,
    topic: Type.Optional(Type.Enum(contactTopics)),
    /** As it stands on the exchange's page. */
    exchange_number: Type.Optional(Type.String({ maxLength: 20 })),
    message: Words(1, 5000),
    website: Bait,
    stamp: Stamp,
  }),
  reply: One(Type.Object({ reference: Type.String() })),
  refusals: ['site_closed'],
});

export const messageStates = ['new', 'open', 'answered', 'closed', 'spam'] as const;
export type MessageState = (typeof messageStates)[number];

export const ContactNote = Type.Object({
  id: Id,
  /** `MSG-000123`: what the sender's email names. */
  reference: Type.String(),
  name: Type.String(),
  /** Empty once whoever wrote has deleted the account of this address; then nobody can be answered. */
  email: Type.String(),
  topic: Type.Enum(contactTopics),
  exchange_number: Type.String(),
  /** The first words of the message. */
  excerpt: Type.String(),
  state: Type.Enum(messageStates),
  /** A machine filled it in, by all appearances. */
  suspected: Type.Boolean(),
  created_at: Time,
});
export type ContactNote = Static<typeof ContactNote>;

export const ContactEntry = Type.Object({
  id: Id,
  kind: Type.Enum(['note', 'reply'] as const),
  body: Type.String(),
  author: Type.Union([Type.String(), Type.Null()]),
  at: Time,
});
export type ContactEntry = Static<typeof ContactEntry>;

export const ContactMessage = Type.Object({
  ...ContactNote.properties,
  /** Empty once the desk has dealt with a message whose sender is gone. */
  message: Type.String(),
  version: Type.Integer(),
  /** The account with this address, if there is one: nobody has proved that it wrote this. */
  user_id: Type.Union([Id, Type.Null()]),
  entries: Type.Array(ContactEntry),
});
export type ContactMessage = Static<typeof ContactMessage>;

const byId = Strict({ id: Id });

export const listContactSubmissions = endpoint({
  ...adminReads('content'),
  path: '/api/admin/contact-submissions',
  summary:
    'The inbox, the newest first; `q` looks in names, addresses, numbers and words, or is a reference.',
  query: Strict({
    ...cursorQuery,
    state: Type.Optional(Type.Enum(messageStates)),
    q: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Type.Object({
    ...Cursor(ContactNote).properties,
    counts: Type.Object({ new: Type.Integer(), open: Type.Integer(), spam: Type.Integer() }),
  }),
});

export const getContactSubmission = endpoint({
  ...adminReads('content'),
  path: '/api/admin/contact-submissions/{id}',
  summary: 'One message with its notes and replies, and whom a reply would come from.',
  params: byId,
  reply: Type.Object({
    data: ContactMessage,
    /** `answers`: the address that an answer to a reply goes to. */
    sender: Type.Object({ from: Type.String(), answers: Type.String() }),
  }),
});

export const updateContactSubmission = endpoint({
  ...adminWrites('content'),
  method: 'PATCH',
  path: '/api/admin/contact-submissions/{id}',
  summary: 'Opens, closes or sorts out a message.',
  params: byId,
  body: Strict({ version: Version, state: Type.Enum(messageStates) }),
  reply: One(ContactMessage),
  refusals: ['version_conflict'],
});

export const addContactEntry = endpoint({
  ...adminWrites('content'),
  path: '/api/admin/contact-submissions/{id}/entries',
  summary: 'Adds a note for colleagues, or a reply that goes out by mail.',
  status: 201,
  idempotent: 'where_sent',
  params: byId,
  body: Strict({
    version: Version,
    kind: Type.Enum(['note', 'reply'] as const),
    body: Words(1, 5000),
  }),
  reply: One(ContactMessage),
  refusals: ['version_conflict', 'sender_gone'],
});

export const deleteContactSubmission = endpoint({
  ...adminWrites('content'),
  method: 'DELETE',
  path: '/api/admin/contact-submissions/{id}',
  summary: 'Deletes a message with its notes and replies, for good.',
  status: 204,
  params: byId,
});
