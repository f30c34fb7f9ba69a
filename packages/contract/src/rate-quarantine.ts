/** Rates that moved too far: each waits for an admin to accept or reject it. */
import { Type, type Static } from 'typebox';
import { adminReads, adminWrites, endpoint } from './endpoint.ts';
import { edge, StoredProvider } from './rates.ts';
import { Id, Many, Rate, SignedDecimal, Strict, Time } from './wire.ts';

/** `jump`: it moved by more than `jump_percent` since the accepted rate; `drift`: by more than `day_percent` in a day. */
export const quarantineReasons = ['jump', 'drift'] as const;
export type QuarantineReason = (typeof quarantineReasons)[number];

export const QuarantinedRate = Type.Object({
  id: Id,
  ...edge,
  provider: StoredProvider,
  label: Type.String(),
  as_of: Time,
  reason: Type.Enum(quarantineReasons),
  /**
   * The rate that it is compared with, in the same direction: the accepted one, or for `drift` the
   * one of a day before. Null where it is not representable.
   */
  previous_rate: Type.Union([Rate, Type.Null()]),
  change_percent: SignedDecimal,
  created_at: Time,
  /** When a run last confirmed it. */
  seen_at: Time,
});
export type QuarantinedRate = Static<typeof QuarantinedRate>;

export const listQuarantine = endpoint({
  ...adminReads('money'),
  path: '/api/admin/rates/quarantine',
  summary: 'Rates that wait to be accepted or rejected.',
  reply: Many(QuarantinedRate),
});

/** A rejected rate is not questioned again for a day. */
export const decideQuarantine = endpoint({
  ...adminWrites('money'),
  path: '/api/admin/rates/quarantine/{id}/decision',
  summary: 'Accepts or rejects a rate that moved too far; pairs follow at once.',
  status: 204,
  params: Strict({ id: Id }),
  body: Strict({
    decision: Type.Enum(['accept', 'reject'] as const),
    /** The rate that the admin saw; 409 for a newer one. */
    rate: Rate,
  }),
  refusals: ['already_decided', 'rate_changed'],
});
