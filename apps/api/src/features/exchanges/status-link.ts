/**
 * The read-only status link: whoever holds it sees how one exchange stands,
 * without signing in, and can do nothing with it.
 * docs/decisions/0016-the-status-link.md has the why.
 */
import { openStates } from '@cambist/contract/exchange-groups';
import { statusLinkDays, type ExchangeStatus } from '@cambist/contract/status-link';
import type { Actor } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { readSignedId, signedId } from '#platform/security/signed-id.ts';
import { findOwn } from './customer-reads.ts';
import { statusView } from './customer-view.ts';
import * as store from './store/exchanges.ts';

/** The frontend's page; the token follows. */
const PATH = '/status/';
const PURPOSE = 'exchange status';

/** As an email carries it: the token is made when the email is sent. */
export function statusLinkOf(id: Id) {
  return { path: PATH, signs: { purpose: PURPOSE, id } };
}

/** The link of an exchange of theirs. @throws Refusal 404 */
export async function ownStatusLink(
  { db, keys, config }: Pick<Deps, 'db' | 'keys' | 'config'>,
  actor: Actor,
  number: string,
): Promise<{ url: string }> {
  const { id } = await findOwn(db, actor, number);
  return { url: new URL(PATH + signedId(keys, PURPOSE, id), config.frontendUrl).href };
}

/** @throws Refusal 404, also when the exchange has been over for long, or its customer is gone */
export async function statusOf(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<ExchangeStatus> {
  const id = readSignedId(keys, PURPOSE, token);
  // No row was looked at: the time of this answer tells as little as its words.
  if (id === null) throw notFound();
  const exchange = await store.findShared(db, id);
  if (!exchange || isOutdated(exchange, clock())) throw notFound();
  return statusView(exchange, await store.listEvents(db, exchange.id));
}

function isOutdated({ state, state_changed_at }: store.Exchange, now: Date): boolean {
  if (openStates.some((open) => open === state)) return false;
  return now.getTime() >= state_changed_at.getTime() + statusLinkDays * DAY;
}
