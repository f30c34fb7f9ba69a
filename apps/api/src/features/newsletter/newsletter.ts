/**
 * Subscribing: anyone can type any address, so the answer is always the same, the address confirms by
 * the link of an email, and emails to it are few. One click unsubscribes.
 */
import type { BodyOf } from '@cambist/contract/endpoint';
import type { subscribe as subscribeEndpoint } from '@cambist/contract/newsletter';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { deleteEmailsTo, enqueueEmail } from '#features/email/email.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_ADDRESS_MS } from '#platform/security/form-stamp.ts';
import { readSignedId, signedId } from '#platform/security/signed-id.ts';
import { findSubscriberOf, noteUnsubscribed } from './campaign-store.ts';
import { emails } from './emails.ts';
import { CAMPAIGN_UNSUBSCRIBE, CONFIRM, UNSUBSCRIBE } from './links.ts';
import * as store from './store.ts';

type SubscribeDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'jobs' | 'config'>;

const LINK_DAYS = 7;
/** Between two emails to one address. */
const PAUSE_MS = 10 * MINUTE;
const UNCONFIRMED_DAYS = 30;
const KINDS = ['subscribe-confirm', 'subscribe-welcome'];

/**
 * Answers the same for any address. What a bot asks for is stored, and gets no email.
 * @throws {Refusal} 503 `site_closed`
 */
export async function subscribe(
  deps: SubscribeDeps & Pick<Deps, 'published'>,
  { email, locale = 'en', website, stamp }: BodyOf<typeof subscribeEndpoint>,
): Promise<{ accepted: true }> {
  await refuseWhileClosed(deps);
  const asked_at = deps.clock();
  const limit = { now: asked_at, shortestMs: SHORTEST_ADDRESS_MS };
  const suspected = isSuspected(deps.keys, { website, stamp }, limit);
  await transaction(deps.db, async (tx) => {
    const added = await store.insertSubscriber(tx, {
      id: newId(),
      email,
      locale,
      state: 'pending',
      suspected,
      asked_at,
      confirmed_at: null,
      left_at: null,
    });
    if (suspected) return;
    if (added) return sendConfirmation(deps, tx, added);
    const known = await store.lockByEmail(tx, email);
    if (known === undefined || known.state === 'confirmed') return;
    const wasSent = known.state === 'pending' && !known.suspected;
    if (wasSent && asked_at.getTime() - known.asked_at.getTime() < PAUSE_MS) return;
    // Anyone may ask: the earlier consent stays until the address confirms anew.
    await store.updateSubscriber(tx, known.id, {
      state: 'pending',
      suspected: false,
      locale,
      asked_at,
    });
    await sendConfirmation(deps, tx, { ...known, locale });
  });
  return { accepted: true };
}

async function sendConfirmation(
  deps: SubscribeDeps,
  tx: Tx,
  row: store.SubscriberRow,
): Promise<void> {
  await enqueueEmail(deps, tx, {
    kind: 'subscribe-confirm',
    to: { email: row.email, userId: null, name: '', locale: row.locale, proved: false },
    content: emails.confirm(LINK_DAYS),
    secret: signedId(deps.keys, CONFIRM, row.id),
    expiresAt: new Date(deps.clock().getTime() + LINK_DAYS * DAY),
  });
}

type LinkDeps = Pick<Deps, 'db' | 'keys'>;

/** @throws {Refusal} 404 for a token that this service did not make */
export async function getSubscription({ db, keys }: LinkDeps, token: string) {
  return subscriptionOf(db, readSignedId(keys, CONFIRM, token));
}

/** @throws {Refusal} 404 for a token that this service did not make */
export async function getUnsubscription({ db, keys }: LinkDeps, token: string) {
  return subscriptionOf(db, (await readUnsubscription(db, keys, token)).id);
}

async function subscriptionOf(db: Db, id: Id | null) {
  const row = id === null ? undefined : await store.findSubscriber(db, id);
  if (row === undefined) throw notFound();
  return { email: row.email, state: row.state };
}

/** @throws {Refusal} 404; 409 `link_expired` */
export async function confirm(deps: SubscribeDeps, token: string): Promise<void> {
  const id = readSignedId(deps.keys, CONFIRM, token);
  if (id === null) throw notFound();
  const now = deps.clock();
  await transaction(deps.db, async (tx) => {
    const row = await store.lockSubscriber(tx, id);
    if (row === undefined) throw notFound();
    if (row.state === 'confirmed') return;
    const isOver = now.getTime() - row.asked_at.getTime() > LINK_DAYS * DAY;
    if (row.state !== 'pending' || isOver) {
      throw new Refusal(
        409,
        'link_expired',
        'This link has expired. Subscribe again to get a new one.',
      );
    }
    await store.updateSubscriber(tx, id, {
      state: 'confirmed',
      source: 'form',
      import_id: null,
      confirmed_at: now,
      left_at: null,
      bounced_at: null,
      bounce_answer: null,
    });
    await enqueueEmail(deps, tx, {
      kind: 'subscribe-welcome',
      to: { email: row.email, userId: null, name: '', locale: row.locale, proved: true },
      content: emails.welcome(id),
    });
  });
}

/** Twice is no error. Emails of campaigns that wait are skipped when their turn comes. @throws {Refusal} 404 */
export async function unsubscribe(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
): Promise<void> {
  const { id, emailId } = await readUnsubscription(db, keys, token);
  if (id === null) throw notFound();
  await transaction(db, async (tx) => {
    const row = await store.lockSubscriber(tx, id);
    if (row === undefined || row.state === 'left') return;
    const left_at = clock();
    await store.updateSubscriber(tx, id, { state: 'left', left_at });
    if (emailId !== null) await noteUnsubscribed(tx, emailId, left_at);
  });
}

/** Whom an unsubscribe link is about, and the campaign's email that it came with. */
async function readUnsubscription(
  db: Db,
  keys: Deps['keys'],
  token: string,
): Promise<{ id: Id | null; emailId: Id | null }> {
  const emailId = readSignedId(keys, CAMPAIGN_UNSUBSCRIBE, token);
  if (emailId === null) return { id: readSignedId(keys, UNSUBSCRIBE, token), emailId };
  return { id: await findSubscriberOf(db, emailId), emailId };
}

/**
 * Deletes an address with its emails, and keeps a keyed hash by which no import adds it again.
 * False where there is none.
 */
export async function forgetSubscriber(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  tx: Tx,
  email: string,
): Promise<boolean> {
  const row = await store.lockByEmail(tx, email);
  await deleteEmailsTo(tx, email, KINDS);
  if (row === undefined) return false;
  await store.deleteSubscriber(tx, row.id);
  await store.insertForgotten(tx, emailHash(keys, email), clock());
  return true;
}

/** By which a deleted address is known. */
export function emailHash(keys: Deps['keys'], email: string): Buffer {
  return Buffer.from(keys.sign('forgotten subscribers', email.toLowerCase()), 'base64url');
}

/** Addresses that did not confirm in time; answers how many. */
export function forgetUnconfirmed(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNCONFIRMED_DAYS * DAY);
  return transaction(db, (tx) => store.forgetUnconfirmed(tx, before));
}
