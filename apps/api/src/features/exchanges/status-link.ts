/** The read-only status link of an exchange, without sign-in (docs/decisions/0016-the-status-link.md). */
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

/** The page of the frontend; the token follows. */
const PATH = '/status/';
const PURPOSE = 'exchange status';

/** For an email; the token is signed when it is sent. */
export function statusLinkOf(id: Id) {
  return { path: PATH, signs: { purpose: PURPOSE, id } };
}

/** @throws Refusal 404, also for another customer's exchange */
export async function ownStatusLink(
  { db, keys, config }: Pick<Deps, 'db' | 'keys' | 'config'>,
  actor: Actor,
  number: string,
): Promise<{ url: string }> {
  const { id } = await findOwn(db, actor, number);
  return { url: new URL(PATH + signedId(keys, PURPOSE, id), config.frontendUrl).href };
}

/** @throws Refusal 404, also some days after the end, and for a deleted account */
export async function readSharedStatus(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<ExchangeStatus> {
  const id = readSignedId(keys, PURPOSE, token);
  // Without a query, so that timing reveals nothing.
  if (id === null) throw notFound();
  const exchange = await store.findShared(db, id);
  if (!exchange || isOutdated(exchange, clock())) throw notFound();
  return statusView(exchange, await store.listEvents(db, exchange.id));
}

function isOutdated({ state, state_changed_at }: store.Exchange, now: Date): boolean {
  if (openStates.some((open) => open === state)) return false;
  return now.getTime() >= state_changed_at.getTime() + statusLinkDays * DAY;
}
