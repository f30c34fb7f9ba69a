/** What of the rates waits for an admin: small enough for the console to ask again and again. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { One } from './wire.ts';

export const RatesStanding = Type.Object({
  /** Rates that moved too far and wait for a yes or no. */
  quarantine_waiting: Type.Integer(),
  /** Rates that pairs need and that are older than they are when the synchronisation works. */
  delayed: Type.Integer(),
  stale: Type.Integer(),
});
export type RatesStanding = Static<typeof RatesStanding>;

export const getRatesStanding = endpoint({
  method: 'GET',
  path: '/api/admin/rates/standing',
  scope: 'admin',
  permission: 'money',
  throttle: 'read',
  summary: 'How many rates wait for an admin, or are too old since the synchronisation fails.',
  status: 200,
  reply: One(RatesStanding),
});
