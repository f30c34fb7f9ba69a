/**
 * Subscribing: asked by anyone for any address, so the answer tells nothing, the
 * address decides by the link of its letter, and letters to it are few. Ending it
 * takes one press and asks for no reason.
 */
import { Readable } from 'node:stream';
import type { BodyOf } from '@cambist/contract/endpoint';
import type {
  subscribe as subscribeEndpoint,
  Subscriber,
  SubscriberState,
} from '@cambist/contract/newsletter';
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { csvLine } from '#kernel/csv.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { readTimeCursor, writeTimeCursor } from '#kernel/time-cursor.ts';
import { record } from '#features/audit/audit.ts';
import { post } from '#features/mail/mail.ts';
import { refuseWhileClosed } from '#features/content/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isSuspected, SHORTEST_ADDRESS_MS } from '#platform/form-stamp.ts';
import { findReader, noteEnd } from './letter-store.ts';
import { confirmToken, readCampaignEndToken, readConfirmToken, readEndToken } from './links.ts';
import { letters } from './mails.ts';
import * as store from './store.ts';
import { skipWaitingTo } from './waking.ts';

export { forgetReader } from './forgetting.ts';

type MailDeps = Pick<Deps, 'db' | 'clock' | 'keys' | 'jobs' | 'config'> & {
  /** The people of a demo desk are made up: nobody is written to. */
  readonly silent?: true;
};

const LINK_DAYS = 7;
/** Between two letters to one address. */
const PAUSE_MS = 10 * MINUTE;
const PER_PAGE = 50;
const EXPORT_BATCH = 1000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Whoever asks hears the same. What a machine asks for is kept, and gets no letter.
 * @throws {Refusal} 503 `site_closed`
 */
export async function subscribe(
  deps: MailDeps & Pick<Deps, 'published'>,
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
    if (added) return askByLetter(deps, tx, added);
    const known = await store.lockByEmail(tx, email);
    if (known === undefined || known.state === 'confirmed') return;
    // Who was taken from a list, or has left, waits for no letter.
    const wasWritten = known.state === 'pending' && !known.suspected;
    if (wasWritten && asked_at.getTime() - known.asked_at.getTime() < PAUSE_MS) return;
    // Anybody may ask: by what consent they were here is kept until they confirm that they want it anew.
    const asks = { state: 'pending', suspected: false } as const;
    await store.updateSubscriber(tx, known.id, { ...asks, locale, asked_at });
    await askByLetter(deps, tx, { ...known, locale });
  });
  return { accepted: true };
}

async function askByLetter(deps: MailDeps, tx: Tx, row: store.SubscriberRow): Promise<void> {
  if (deps.silent) return;
  await post(deps, tx, {
    kind: 'subscribe-confirm',
    to: { email: row.email, userId: null, name: '', locale: row.locale, proved: false },
    content: letters.confirm(LINK_DAYS),
    secret: confirmToken(deps.keys, row.id),
    usefulUntil: new Date(deps.clock().getTime() + LINK_DAYS * DAY),
  });
}

type LinkDeps = Pick<Deps, 'db' | 'keys'>;

/** @throws {Refusal} 404 for what this service did not write */
export async function confirmationSight({ db, keys }: LinkDeps, token: string) {
  return sightOf(db, readConfirmToken(keys, token));
}

/** @throws {Refusal} 404 for what this service did not write */
export async function endSight({ db, keys }: LinkDeps, token: string) {
  return sightOf(db, (await endOf(db, keys, token)).id);
}

async function sightOf(db: Db, id: Id | null) {
  const row = id === null ? undefined : await store.findSubscriber(db, id);
  if (row === undefined) throw notFound();
  return { email: row.email, state: row.state };
}

/** @throws {Refusal} 404; 409 `link_expired` */
export async function confirm(deps: MailDeps, token: string): Promise<void> {
  const id = readConfirmToken(deps.keys, token);
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
        'This link is over. Subscribe again to get a new one.',
      );
    }
    await store.updateSubscriber(tx, id, {
      state: 'confirmed',
      // Whoever waits has asked by the form, wherever they had come from before.
      source: 'form',
      import_id: null,
      confirmed_at: now,
      left_at: null,
      bounced_at: null,
      bounce_words: null,
    });
    if (deps.silent) return;
    await post(deps, tx, {
      kind: 'subscribe-welcome',
      to: { email: row.email, userId: null, name: '', locale: row.locale, proved: true },
      content: letters.welcome(id),
    });
  });
}

/** Twice is no error. @throws {Refusal} 404 */
export async function end(
  { db, keys, clock, jobs }: Pick<Deps, 'db' | 'keys' | 'clock' | 'jobs'>,
  token: string,
): Promise<void> {
  const { id, letterId } = await endOf(db, keys, token);
  if (id === null) throw notFound();
  await transaction(db, async (tx) => {
    const row = await store.lockSubscriber(tx, id);
    if (row === undefined || row.state === 'left') return;
    const left_at = clock();
    await store.updateSubscriber(tx, id, { state: 'left', left_at });
    await skipWaitingTo({ jobs }, tx, id);
    if (letterId !== null) await noteEnd(tx, letterId, left_at);
  });
}

/** Whom a link to the end is about, and by which letter of a campaign. */
async function endOf(
  db: Db,
  keys: Deps['keys'],
  token: string,
): Promise<{ id: Id | null; letterId: Id | null }> {
  const letterId = readCampaignEndToken(keys, token);
  if (letterId === null) return { id: readEndToken(keys, token), letterId };
  return { id: await findReader(db, letterId), letterId };
}

export interface SubscribersQuery {
  readonly state?: SubscriberState;
  readonly q?: string;
  readonly cursor?: string;
  readonly per_page?: number;
}

/** @throws {Refusal} 422 on `cursor` */
export async function list(
  db: Db,
  { state, q = '', cursor, per_page = PER_PAGE }: SubscribersQuery,
) {
  const counts = await store.countSubscribers(db);
  const rows = await store.listSubscribers(db, {
    state,
    beginning: q.trim(),
    after: cursor === undefined ? null : readTimeCursor(cursor),
    limit: per_page + 1,
  });
  const page = rows.slice(0, per_page);
  const last = rows.length > per_page ? page.at(-1) : undefined;
  const next_cursor = last ? writeTimeCursor({ at: last.asked_at, id: last.id }) : null;
  return { data: page.map(subscriberOf), meta: { next_cursor, per_page }, counts };
}

const columns = [
  'email',
  'locale',
  'state',
  'source',
  'asked_at',
  'confirmed_at',
  'left_at',
  'bounced_at',
] as const;

/** How many a campaign would reach: those of a language, or all. */
export async function countFor(db: Db | Tx, locale: string | null): Promise<number> {
  const locales = await store.countLocales(db);
  return locales
    .filter((each) => locale === null || each.locale === locale)
    .reduce((sum, { count }) => sum + count, 0);
}

/** Every subscriber as a line of CSV, read in batches while it is sent. */
export function exportAll(db: Db): Readable {
  async function* lines() {
    yield csvLine(columns);
    for (let after = FIRST_ID; ;) {
      const batch = await store.listFrom(db, after, EXPORT_BATCH);
      for (const row of batch) {
        const shown = subscriberOf(row);
        yield csvLine(columns.map((column) => shown[column] ?? ''));
      }
      const last = batch.at(-1);
      if (!last || batch.length < EXPORT_BATCH) return;
      after = last.id;
    }
  }
  return Readable.from(lines());
}

/** That somebody took all addresses with them is worth a line in the log. */
export async function noteExport(db: Db, actor: Actor, origin: Origin): Promise<void> {
  await record(db, { actor, origin, action: 'newsletter.exported' });
}

function subscriberOf(row: store.SubscriberRow): Subscriber {
  return {
    ...row,
    asked_at: row.asked_at.toISOString(),
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    left_at: row.left_at?.toISOString() ?? null,
    bounced_at: row.bounced_at?.toISOString() ?? null,
  };
}
