/** A customer as the desk knows them. */
import { Type, type Static } from 'typebox';
import { SessionNote } from './accounts.ts';
import { DeskExchange } from './desk.ts';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { ExchangeState } from './exchanges.ts';
import { Amount, Cursor, cursorQuery, Id, nullable, One, Strict, Time, Words } from './wire.ts';

const byId = Strict({ id: Id });

export const CustomerNote = Type.Object({
  id: Id,
  text: Type.String(),
  /** The operator's name. */
  by: Type.String(),
  at: Time,
});

export type CustomerNote = Static<typeof CustomerNote>;

export const DeskCustomer = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  email_verified_at: nullable(Time),
  since: Time,
  disabled_at: nullable(Time),
  deleted_at: nullable(Time),
  /** Of the amounts below: the desk's reporting unit. */
  unit: Type.String(),
  /** Sent in completed and in open exchanges, as valued when they were created. */
  completed_value: Amount,
  open_value: Amount,
  counts: Type.Array(Type.Object({ state: ExchangeState, count: Type.Integer() })),
  /** Rolling windows over all pairs; the limit is null where the desk sets none. */
  limits: Type.Array(
    Type.Object({
      window: Type.Enum(['day', 'month'] as const),
      used: Amount,
      limit: nullable(Amount),
      near: Type.Boolean(),
    }),
  ),
  /** The latest 20 of the latest 1,000 exchanges, each counted to 1,000 and with at most 10 others. */
  accounts: Type.Array(
    Type.Object({
      account: Type.String(),
      exchanges: Type.Integer(),
      last_at: Time,
      others: Type.Array(Type.Object({ id: Id, name: Type.String(), exchanges: Type.Integer() })),
    }),
  ),
  /** Open ones. */
  sessions: Type.Array(SessionNote),
  /** Newest first, at most 200. */
  notes: Type.Array(CustomerNote),
});
export type DeskCustomer = Static<typeof DeskCustomer>;

export const getDeskCustomer = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/customers/{id}',
  summary:
    'A customer as the desk knows them: volume, outcomes, limits, accounts, sessions and notes.',
  params: byId,
  reply: One(DeskCustomer),
});

export const listCustomerExchanges = endpoint({
  ...adminReads('desk'),
  path: '/api/admin/customers/{id}/exchanges',
  summary: 'All exchanges of a customer, the newest first.',
  params: byId,
  query: Strict(cursorQuery),
  reply: Cursor(DeskExchange),
});

/** Never changed; erased with the answers of the customer's exchanges. */
export const addCustomerNote = endpoint({
  ...adminWrites('desk'),
  path: '/api/admin/customers/{id}/notes',
  summary: 'Notes something about a customer, for operators.',
  status: 201,
  params: byId,
  body: Strict({ text: Words(1, 2000) }),
  idempotent: true,
  reply: One(CustomerNote),
});
