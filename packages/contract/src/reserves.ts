/** Reserves: the desk's funds for payouts, in a double-entry ledger. */
import { Type, type Static } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import {
  Amount,
  Cursor,
  cursorQuery,
  Id,
  nullable,
  One,
  SignedDecimal,
  Slug,
  Strict,
  Time,
  Waiting,
  Words,
} from './wire.ts';

export const accountKinds = [
  'available',
  'held',
  'customer',
  'position',
  'fees',
  'spread',
  'costs',
  'adjustments',
] as const;

export const Reserve = Type.Object({
  currency: PublicCurrency,
  available: Amount,
  held: Amount,
  /** Below it admins get an email; null: never. */
  low_below: Type.Union([Amount, Type.Null()]),
  is_low: Type.Boolean(),
  /** Every account's balance, debit positive. */
  accounts: Type.Array(Type.Object({ kind: Type.Enum(accountKinds), balance: SignedDecimal })),
});
export type Reserve = Static<typeof Reserve>;

export const LedgerEntry = Type.Object({
  transaction_id: Id,
  at: Time,
  kind: Type.String(),
  exchange_number: Type.Union([Type.String(), Type.Null()]),
  reference: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
  actor: Type.Union([Type.String(), Type.Null()]),
  account: Type.Enum(accountKinds),
  amount: SignedDecimal,
  balance_after: SignedDecimal,
});
export type LedgerEntry = Static<typeof LedgerEntry>;

/** The result of a reconciliation. */
export const Reconciliation = Type.Object({
  at: Time,
  /** `since_checkpoint`: what was posted after the last state without differences. */
  scope: Type.Enum(['since_checkpoint', 'whole'] as const),
  /** When the whole ledger was last without differences; null: never. */
  whole_verified_at: Type.Union([Time, Type.Null()]),
  balanced: Type.Boolean(),
  differences: Type.Array(
    Type.Object({
      currency: Slug,
      /**
       * `balance`: an account and its entries; `statement`: an entry's `balance_after` and the one
       * before it; `exchange`: an exchange's figures and what was posted for it; `checkpoint`: a
       * verified balance and that of its entry today.
       */
      what: Type.Enum([
        'balance',
        'statement',
        'sum',
        'held',
        'customer',
        'exchange',
        'checkpoint',
      ] as const),
      /** Null where the sum of a transaction differs. */
      account: Type.Union([Type.Enum(accountKinds), Type.Null()]),
      exchange_number: Type.Union([Type.String(), Type.Null()]),
      expected: SignedDecimal,
      found: SignedDecimal,
    }),
  ),
});
export type Reconciliation = Static<typeof Reconciliation>;

const bySlug = Strict({ currency: Slug });

export const listReserves = endpoint({
  ...adminReads('money'),
  path: '/api/admin/reserves',
  summary: 'Available and held amounts of every currency.',
  reply: Type.Object({ data: Type.Array(Reserve) }),
});

export const listLedgerEntries = endpoint({
  ...adminReads('money'),
  path: '/api/admin/reserves/{currency}/entries',
  summary: 'The ledger of one currency, newest first.',
  params: bySlug,
  query: Strict({ ...cursorQuery, account: Type.Optional(Type.Enum(accountKinds)) }),
  reply: Cursor(LedgerEntry),
});

export const adjustReserve = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/reserves/{currency}/adjustments',
  fresh: true,
  summary:
    'Adds to or takes from a reserve, with a reason, as a ledger transaction; a large amount waits for a second person.',
  status: 201,
  params: bySlug,
  idempotent: true,
  body: Strict({
    direction: Type.Enum(['in', 'out'] as const),
    amount: Amount,
    reason: Words(3, 300),
  }),
  /** `pending_change`: the adjustment waits for a second person, and the reserve is as it was. */
  reply: Type.Object({ data: Reserve, pending_change: nullable(Waiting) }),
  refusals: ['insufficient_reserve', 'confirmation_required'],
});

export const reconcile = endpoint({
  ...adminReads('money'),
  path: '/api/admin/reserves/reconciliation',
  summary:
    'Compares what was posted since the last checkpoint with itself and with the exchanges, and records what was found: approvals go by it. The whole ledger is compared every night, and as long as that found differences.',
  reply: One(Reconciliation),
});
