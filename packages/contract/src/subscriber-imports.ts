/**
 * Lists of subscribers that come as CSV: previewed, then imported with the consent that the admin
 * names. Addresses that unsubscribed or were deleted are never added again.
 */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { Day, Id, Many, One, Strict, Time, Words } from './wire.ts';

/** Below the limit of a request's body; some 25,000 addresses. */
export const maxImportCharacters = 900_000;

const ColumnIndex = Type.Integer({ minimum: 0, maximum: 999 });
const NullableIndex = Type.Union([ColumnIndex, Type.Null()]);

/** Positions counted from 0. Without a consent column everyone in the file counts as having agreed. */
const columns = { email: ColumnIndex, language: NullableIndex, consent: NullableIndex };
export const ImportColumns = Strict(columns);
export type ImportColumns = Static<typeof ImportColumns>;

export const skipReasons = [
  'invalid_address',
  'no_consent',
  'repeated',
  'already_subscribed',
  'unsubscribed',
  'undeliverable',
] as const;
export type SkipReason = (typeof skipReasons)[number];

export const ImportPreview = Type.Object({
  /** The first line, or `Column 1`, … where it holds an address. */
  headings: Type.Array(Type.String()),
  /** `email` is null where no heading names it: the admin picks it. */
  columns: Type.Object({ ...columns, email: NullableIndex }),
  /** Lines that hold something, without the headings. */
  rows: Type.Integer(),
  added: Type.Integer(),
  skipped: Type.Array(
    Type.Object({
      reason: Type.Enum(skipReasons),
      count: Type.Integer(),
      /** The first twenty, by the line that an editor shows. */
      examples: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() })),
    }),
  ),
  /** The first five that would be added. */
  sample: Type.Array(Type.Object({ email: Type.String(), language: Type.String() })),
});
export type ImportPreview = Static<typeof ImportPreview>;

export const SubscriberImport = Type.Object({
  id: Id,
  /** The file's. */
  name: Type.String(),
  added: Type.Integer(),
  skipped: Type.Integer(),
  consent: Type.String(),
  consented_on: Type.String(),
  created_by: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
});
export type SubscriberImport = Static<typeof SubscriberImport>;

const Csv = Type.String({ minLength: 1, maxLength: maxImportCharacters });
const path = '/api/admin/subscriber-imports';

export const listSubscriberImports = endpoint({
  ...adminReads('content'),
  path,
  summary: 'The last fifty imports with their consents.',
  reply: Many(SubscriberImport),
});

export const previewSubscriberImport = endpoint({
  ...adminWrites('content'),
  path: `${path}/preview`,
  summary: 'What importing a CSV would add and skip, without adding anyone.',
  longText: true,
  body: Strict({ csv: Csv, columns: Type.Optional(ImportColumns) }),
  reply: One(ImportPreview),
});

export const importSubscribers = endpoint({
  ...adminWrites('content'),
  path,
  fresh: true,
  summary: 'Adds the addresses of a CSV as confirmed subscribers, with the consent that is named.',
  status: 201,
  longText: true,
  body: Strict({
    name: Words(1, 120),
    csv: Csv,
    columns: ImportColumns,
    consent: Words(10, 1000),
    consented_on: Day,
  }),
  reply: One(SubscriberImport),
});
