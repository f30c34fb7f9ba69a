/** The read-only status link: how an exchange stands, for whoever holds it, without signing in. */
import { Type, type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { ExchangeNumber, ExchangeState, ExchangeSummary } from './exchanges.ts';
import { One, Strict, Time } from './wire.ts';

/** A status link opens nothing any more when its exchange has been over for this long. */
export const statusLinkDays = 90;

/** What whoever holds the status link may see: how it stands, and nothing of the person. */
export const ExchangeStatus = Type.Object({
  ...ExchangeSummary.properties,
  timeline: Type.Array(Type.Object({ action: Type.String(), to_state: ExchangeState, at: Time })),
});
export type ExchangeStatus = Static<typeof ExchangeStatus>;

/** Any text: what is no token is not found, with the answer that a wrong one gets. */
export const getExchangeStatus = endpoint({
  method: 'GET',
  path: '/api/public/exchanges/{token}',
  scope: 'public',
  throttle: 'read',
  summary:
    "How an exchange stands, for whoever holds its status link, without the customer's data.",
  status: 200,
  params: Strict({ token: Type.String() }),
  reply: One(ExchangeStatus),
});

/** Asked for by itself, so that no kept answer and no export of an exchange holds what opens it. */
export const getStatusLink = endpoint({
  method: 'GET',
  path: '/api/exchanges/{number}/status-link',
  scope: 'member',
  throttle: 'read',
  summary: 'The address at which anyone may see how this exchange stands.',
  status: 200,
  params: Strict({ number: ExchangeNumber }),
  reply: One(Type.Object({ url: Type.String() })),
});
