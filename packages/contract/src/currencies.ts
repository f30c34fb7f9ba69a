/** Currencies: what a customer can send or receive through one channel. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import {
  Amount,
  Id,
  Many,
  nullable,
  One,
  Slug,
  Strict,
  Time,
  Version,
  Waiting,
  Words,
} from './wire.ts';

export const currencyKinds = ['bank', 'card', 'wallet', 'chain', 'cash'] as const;
const Kind = Type.Enum(currencyKinds);

/** How a field is checked. */
export const fieldChecks = [
  'text',
  'name',
  'iban',
  'card',
  'address',
  'phone',
  'email',
  'pattern',
] as const;

/** A field that customers fill in. `pattern` needs the check of that name. */
export const Field = Strict({
  key: Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
  label: Words(1, 80),
  check: Type.Enum(fieldChecks),
  pattern: Type.Optional(Type.String({ maxLength: 200 })),
  hint: Type.Optional(Type.String({ maxLength: 200 })),
  required: Type.Boolean(),
});
export type Field = Static<typeof Field>;

/** The customer's answers, by the field's key. */
export const FieldAnswers = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$' }),
  Type.String({ maxLength: 300 }),
  { maxProperties: 20 },
);

/** One line of a payee account, each to be copied by the customer. */
export const PayeeLine = Strict({
  label: Words(1, 80),
  value: Words(1, 200),
});

export const PublicCurrency = Type.Object({
  slug: Slug,
  unit: Type.String(),
  name: Type.String(),
  symbol: Type.String(),
  channel: Type.String(),
  kind: Kind,
  decimals: Type.Integer({ minimum: 0, maximum: 18 }),
});
export type PublicCurrency = Static<typeof PublicCurrency>;

export const PayeeAccount = Type.Object({
  id: Id,
  label: Type.String(),
  details: Type.Array(PayeeLine),
  instructions: Type.String(),
  qr_template: Type.Union([Type.String(), Type.Null()]),
  active: Type.Boolean(),
});
export type PayeeAccount = Static<typeof PayeeAccount>;

const nullableAmount = Type.Union([Amount, Type.Null()]);

export const Currency = Type.Object({
  id: Id,
  ...PublicCurrency.properties,
  export_code: Type.String(),
  min_send: nullableAmount,
  max_send: nullableAmount,
  min_receive: nullableAmount,
  max_receive: nullableAmount,
  sender_fields: Type.Array(Field),
  payout_fields: Type.Array(Field),
  payout_time: Type.String(),
  payee_accounts: Type.Array(PayeeAccount),
  active: Type.Boolean(),
  position: Type.Integer(),
  version: Version,
  updated_at: Time,
});
export type Currency = Static<typeof Currency>;

/** Unit and decimals are fixed at creation. */
const editable = {
  name: Words(1, 60),
  symbol: Words(1, 4),
  channel: Words(1, 60),
  kind: Kind,
  export_code: Type.String({ pattern: '^[A-Z0-9_]{2,20}$' }),
  min_send: nullableAmount,
  max_send: nullableAmount,
  min_receive: nullableAmount,
  max_receive: nullableAmount,
  sender_fields: Type.Array(Field, { maxItems: 20 }),
  payout_fields: Type.Array(Field, { maxItems: 20 }),
  payout_time: Type.String({ maxLength: 80 }),
  payee_accounts: Type.Array(
    Strict({
      id: Type.Optional(Id),
      label: Words(1, 60),
      details: Type.Array(PayeeLine, { minItems: 1, maxItems: 12 }),
      instructions: Type.String({ maxLength: 1000 }),
      qr_template: Type.Union([Type.String({ maxLength: 500 }), Type.Null()]),
      active: Type.Boolean(),
    }),
    { maxItems: 10 },
  ),
  active: Type.Boolean(),
  position: Type.Integer({ minimum: 0, maximum: 100_000 }),
};

const bySlug = Strict({ slug: Slug });

/** `pending_change`: the change of its payee accounts that waits; until then the currency has the old ones. */
const Changed = Type.Object({ data: Currency, pending_change: nullable(Waiting) });

export const listCurrencies = endpoint({
  ...adminReads('money'),
  path: '/api/admin/currencies',
  summary: 'All currencies with their fields and payee accounts.',
  reply: Many(Currency),
});

export const getCurrency = endpoint({
  ...adminReads('money'),
  path: '/api/admin/currencies/{slug}',
  summary: 'One currency.',
  params: bySlug,
  reply: One(Currency),
});

export const createCurrency = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/currencies',
  summary:
    'Adds a currency and opens its ledger accounts. Payee accounts need a fresh confirmation, and wait.',
  status: 201,
  idempotent: 'where_sent',
  body: Strict({
    slug: Slug,
    unit: Type.String({ pattern: '^[A-Z0-9]{2,12}$' }),
    decimals: Type.Integer({ minimum: 0, maximum: 18 }),
    ...editable,
  }),
  reply: Changed,
  refusals: ['confirmation_required'],
});

export const updateCurrency = endpoint({
  ...adminWrites('money'),
  method: 'PATCH',
  path: '/api/admin/currencies/{slug}',
  summary:
    'Changes a currency; open exchanges are unaffected. Changed payee accounts need a fresh confirmation, and wait.',
  params: bySlug,
  body: Strict({ version: Version, ...Type.Partial(Strict(editable)).properties }),
  reply: Changed,
  refusals: ['version_conflict', 'confirmation_required', 'change_waits'],
});
