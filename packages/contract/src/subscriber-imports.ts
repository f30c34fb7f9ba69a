/**
 * Lists of subscribers that come as CSV: read, looked at, and written only when
 * somebody has said by what consent. Who has left, or was deleted, never comes back this way.
 */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Day, Id, Many, One, Strict, Time, Words } from './wire.ts';

export const importStates = ['reading', 'ready', 'writing', 'done', 'failed', 'dropped'] as const;
export type ImportState = (typeof importStates)[number];

const UnknownWord = Type.Object({
  column: Type.String(),
  word: Type.String(),
  lines: Type.Integer(),
});

export const SubscriberImport = Type.Object({
  id: Id,
  /** The file's. */
  name: Type.String(),
  state: Type.Enum(importStates),
  /** What is read or written so far, from 0 to 1. */
  progress: Type.Number(),
  /** Lines of the file that hold something; a heading is none. */
  lines: Type.Integer(),
  /** New ones: while `ready`, how many there would be. */
  added: Type.Integer(),
  /** There already, whatever their state. */
  known: Type.Integer(),
  /** Left the newsletter here before, or were deleted: never added. */
  left_before: Type.Integer(),
  /** The file says that they get no letters, or must not, or have never confirmed: not added. */
  left_in_file: Type.Integer(),
  /** Whether they get letters is said in words that are not understood: never added. */
  not_understood: Type.Integer(),
  /** The first fifty of those words, the most frequent first; one may be empty. */
  unknown_words: Type.Array(UnknownWord),
  /** What names no known language, in lines of people who get English: fifty words, and the rest as an empty one. */
  unknown_languages: Type.Array(UnknownWord),
  /** The heading of the addresses; null while it is not known, and for a file without headings. */
  address_column: Type.Union([Type.String(), Type.Null()]),
  /** The heading of the languages; null where there is none, and everybody's is English. */
  locale_column: Type.Union([Type.String(), Type.Null()]),
  /** The headings of what is read of who gets letters. */
  state_columns: Type.Array(Type.String()),
  /** Again in the same file. */
  repeated: Type.Integer(),
  invalid: Type.Integer(),
  /** The first hundred of the invalid lines, counted as an editor counts them; of a file that cannot be read, where it is known, the one that is at fault. */
  faults: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() })),
  /** Why the whole file cannot be read; `unreadable` of those that were read before the three behind it were told apart. */
  fault: Type.Union([
    Type.Enum([
      'no_address_column',
      'unreadable',
      'not_utf8',
      'unclosed_quote',
      'endless_line',
      'interrupted',
    ] as const),
    Type.Null(),
  ]),
  consent: Type.String(),
  consented_on: Type.Union([Type.String(), Type.Null()]),
  created_by: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
  done_at: Type.Union([Time, Type.Null()]),
});
export type SubscriberImport = Static<typeof SubscriberImport>;

const byId = Strict({ id: Id });
const path = '/api/admin/subscriber-imports';
const scope = { scope: 'admin', permission: 'content' } as const;

export const uploadSubscribers = endpoint({
  method: 'POST',
  path,
  ...scope,
  throttle: 'upload',
  summary: 'Reads a CSV of addresses, at most 7 MB, without adding anybody yet.',
  status: 201,
  upload: 'file',
  reply: One(SubscriberImport),
});

export const listSubscriberImports = endpoint({
  method: 'GET',
  path,
  ...scope,
  throttle: 'read',
  summary: 'The last fifty imports with their reports and consents.',
  status: 200,
  reply: Many(SubscriberImport),
});

export const getSubscriberImport = endpoint({
  method: 'GET',
  path: `${path}/{id}`,
  ...scope,
  throttle: 'read',
  summary: 'One import: how far it is, or what it would add or has added.',
  status: 200,
  params: byId,
  reply: One(SubscriberImport),
});

/** Twice is no error. */
export const startSubscriberImport = endpoint({
  method: 'POST',
  path: `${path}/{id}/start`,
  ...scope,
  fresh: true,
  throttle: 'write',
  summary: 'Adds the addresses that were read, by the consent that is named.',
  status: 200,
  params: byId,
  body: Strict({ consent: Words(10, 1000), consented_on: Day }),
  reply: One(SubscriberImport),
  refusals: ['import_not_ready'],
});

export const dropSubscriberImport = endpoint({
  method: 'DELETE',
  path: `${path}/{id}`,
  ...scope,
  throttle: 'write',
  summary: 'Forgets what was read from a file and not written.',
  status: 204,
  params: byId,
  refusals: ['import_not_ready'],
});
