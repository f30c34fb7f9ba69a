/** The read-only status link of an exchange, without signing in. */
import { Type, type Static } from 'typebox';
import { endpoint, memberReads, publicReads } from './endpoint.ts';
import { ExchangeNumber, ExchangeState, ExchangeSummary } from './exchanges.ts';
import { One, Strict, Time } from './wire.ts';

/** A status link expires this long after the end of the exchange. */
export const statusLinkDays = 90;

/** Without personal data. */
const { unread: _unread, ...shared } = ExchangeSummary.properties;

export const ExchangeStatus = Type.Object({
  ...shared,
  timeline: Type.Array(Type.Object({ action: Type.String(), to_state: ExchangeState, at: Time })),
});
export type ExchangeStatus = Static<typeof ExchangeStatus>;

/** Any text, since an invalid token gets the same 404 as a wrong one. */
export const getExchangeStatus = endpoint({
  ...publicReads,
  path: '/api/public/exchanges/{token}',
  summary:
    "How an exchange stands, for whoever holds its status link, without the customer's data.",
  params: Strict({ token: Type.String() }),
  reply: One(ExchangeStatus),
});

/** Separate, so that stored answers and exports of the exchange do not contain it. */
export const getStatusLink = endpoint({
  ...memberReads,
  path: '/api/exchanges/{number}/status-link',
  summary: 'The public status link of this exchange.',
  params: Strict({ number: ExchangeNumber }),
  reply: One(Type.Object({ url: Type.String() })),
});
