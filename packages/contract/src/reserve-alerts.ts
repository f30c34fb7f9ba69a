/**
 * Reserve alerts: one email when an amount above the reserve can be paid out. The address confirms it by
 * the link of an email; it ends when it was sent, or after 30 days.
 */
import { Type } from 'typebox';
import { PublicCurrency } from './currencies.ts';
import { endpoint, publicReads, publicWrites } from './endpoint.ts';
import { Bait } from './feature-reports.ts';
import { Stamp } from './form-stamp.ts';
import { Amount, Email, One, Slug, Strict } from './wire.ts';

export const askReserveAlert = endpoint({
  method: 'POST',
  path: '/api/public/reserve-alerts',
  scope: 'public',
  throttle: 'email',
  summary:
    'Asks for one email when an amount can be paid out. The answer is the same for every address; the address gets an email to confirm.',
  status: 202,
  body: Strict({
    pair: Slug,
    /** In the receive currency. */
    amount: Amount,
    email: Email,
    locale: Type.Optional(Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', maxLength: 5 })),
    website: Bait,
    stamp: Stamp,
  }),
  reply: One(Type.Object({ accepted: Type.Literal(true) })),
  refusals: ['site_closed'],
});

const byToken = Strict({ token: Type.String({ maxLength: 100 }) });

/** Opening the link changes nothing: mail scanners do. */
export const getReserveAlert = endpoint({
  ...publicReads,
  path: '/api/public/reserve-alerts/{token}',
  summary: 'What the link that confirms would confirm, without doing it.',
  params: byToken,
  reply: One(
    Type.Object({
      email: Type.String(),
      pair: Slug,
      receive: PublicCurrency,
      amount: Amount,
      state: Type.Enum(['pending', 'confirmed'] as const),
    }),
  ),
});

/** Twice is no error. */
export const confirmReserveAlert = endpoint({
  ...publicWrites,
  method: 'POST',
  path: '/api/public/reserve-alerts/{token}',
  summary: 'Confirms a reserve alert by the link of its email.',
  status: 204,
  params: byToken,
});
