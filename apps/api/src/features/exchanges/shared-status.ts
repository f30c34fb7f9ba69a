/**
 * The read-only status link: whoever holds it sees how one exchange stands,
 * without signing in, and can do nothing with it.
 * docs/decisions/0016-the-status-link.md has the why.
 */
import { statusLinkDays, type ExchangeStatus } from '@cambist/contract/status-link';
import type { Actor } from '#kernel/actor.ts';
import { DAY } from '#kernel/clock.ts';
import { notFound } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { findOwn } from './exchanges.ts';
import { readStatusToken, statusUrl } from './status-link.ts';
import * as store from './store.ts';
import { statusView } from './views.ts';
import { openStates } from './workflow.ts';

/** The link of an exchange of theirs. @throws Refusal 404 */
export async function ownStatusLink(
  { db, keys, config }: Pick<Deps, 'db' | 'keys' | 'config'>,
  actor: Actor,
  number: string,
): Promise<{ url: string }> {
  const { id } = await findOwn(db, actor, number);
  return { url: statusUrl(keys, config.frontendUrl, id) };
}

/** @throws Refusal 404, also when the exchange has been over for long, or its customer is gone */
export async function statusOf(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<ExchangeStatus> {
  const id = readStatusToken(keys, token);
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
