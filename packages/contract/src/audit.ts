/** The log of security events and of what admins did: append-only, read by admins. */
import { Type, type Static } from 'typebox';
import { adminReads, endpoint } from './endpoint.ts';
import { Cursor, cursorQuery, Day, Id, nullable, Strict, Time } from './wire.ts';

export const AuditEvent = Type.Object({
  id: Type.String(),
  at: Time,
  actor_kind: Type.Enum(['guest', 'user', 'admin', 'system'] as const),
  actor_id: nullable(Id),
  /** As it is now; null for a guest, the system, and someone who is gone. */
  actor_name: nullable(Type.String()),
  actor_email: nullable(Type.String()),
  /** As it is now; `actor_kind` says what it was then. */
  actor_role: Type.Union([Type.Enum(['user', 'admin'] as const), Type.Null()]),
  action: Type.String(),
  subject_kind: nullable(Type.String()),
  subject_id: nullable(Type.String()),
  /** Of an account, as it is now; null for all else, and for one that is gone. */
  subject_name: nullable(Type.String()),
  subject_email: nullable(Type.String()),
  data: Type.Record(Type.String(), Type.Unknown()),
  ip: nullable(Type.String()),
  request_id: nullable(Type.String()),
});
export type AuditEvent = Static<typeof AuditEvent>;

export const listAuditEvents = endpoint({
  ...adminReads('users'),
  path: '/api/admin/audit',
  summary: 'What was done, the newest first.',
  query: Strict({
    ...cursorQuery,
    actor_id: Type.Optional(Id),
    /** `auth.` finds all that begin with it. */
    action: Type.Optional(Type.String({ maxLength: 80 })),
    subject_kind: Type.Optional(Type.String({ maxLength: 40 })),
    subject_id: Type.Optional(Type.String({ maxLength: 80 })),
    from: Type.Optional(Day),
    to: Type.Optional(Day),
  }),
  reply: Cursor(AuditEvent),
});
