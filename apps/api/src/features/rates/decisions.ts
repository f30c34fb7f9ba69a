/** An admin's yes or no to rates that wait, and a no that is taken back. Decisions and runs are in line by one lock. */
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import type { Actor, Origin } from '#kernel/actor.ts';
import { HOUR } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import { forgetPast, markDoubts, readMarket, writeRates } from '#features/market/market.ts';
import { flow } from '#features/pairs/pairs.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { asBelieved, inPlace, newerThan } from './outdated.ts';
import { feedOf } from './providers.ts';
import { present } from './quarantine.ts';
import * as store from './quarantine-store.ts';
import { lockRates } from './store.ts';

type DecideDeps = Pick<Deps, 'db' | 'clock' | 'published' | 'jobs'>;

/**
 * @throws Refusal 404; 409 `already_decided`; 409 `rate_changed` when a run has answered it or
 *   asks about another rate; 409 `rate_outdated` when something newer is believed by now
 */
export async function decide(
  deps: DecideDeps,
  actor: Actor,
  origin: Origin,
  { id, decision, rate }: { id: Id; decision: 'accept' | 'refuse'; rate: string },
): Promise<QuarantinedRate> {
  const settings = await read(deps, 'rate-api');
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    await lockRates(tx);
    const row = await findAsked(tx, { id, rate });
    const accepted = decision === 'accept';
    await store.updateQuarantined(tx, id, {
      decision: accepted ? 'accepted' : 'refused',
      decided_by: actor.id,
      decided_at: now,
    });
    if (accepted) {
      const feed = settings.providers.find(({ name }) => name === row.provider)?.feed;
      await believe(tx, row, settings.max_age_hours[feed ?? feedOf(row.provider)]);
    }
    await letFlow(deps, tx);
    await recordWord(tx, actor, origin, accepted ? 'rate.accepted' : 'rate.refused', row);
    return presentStored(tx, id);
  });
}

/**
 * All of them or none: somebody who has seen seven figures does not say no to six.
 *
 * @throws Refusal as of one `decide`, of the first that cannot be refused
 */
export async function refuseAll(
  deps: DecideDeps,
  actor: Actor,
  origin: Origin,
  asked: readonly Asked[],
): Promise<QuarantinedRate[]> {
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    await lockRates(tx);
    const answers: QuarantinedRate[] = [];
    for (const each of asked) {
      const row = await findAsked(tx, each);
      const change = { decision: 'refused', decided_by: actor.id, decided_at: now } as const;
      await store.updateQuarantined(tx, row.id, change);
      await recordWord(tx, actor, origin, 'rate.refused', row);
      answers.push(await presentStored(tx, row.id));
    }
    await letFlow(deps, tx);
    return answers;
  });
}

/** A question, and the figure that the admin saw with it. */
interface Asked {
  readonly id: Id;
  readonly rate: string;
}

async function findAsked(tx: Tx, { id, rate }: Asked): Promise<store.QuarantineRow> {
  const row = await store.findQuarantined(tx, id);
  if (row === undefined) throw notFound();
  // By a run: nobody has decided on it, and nothing of it is left to decide on.
  const isWithdrawn = row.decision === 'withdrawn' && row.decided_by === null;
  if (row.decision !== null && !isWithdrawn)
    throw new Refusal(409, 'already_decided', 'This rate has been decided on already.');
  if (isWithdrawn || compare(parseDecimal(row.rate), parseDecimal(rate)) !== 0)
    throw new Refusal(
      409,
      'rate_changed',
      'A run has answered this question, or asks about another rate now. Look again.',
    );
  return row;
}

/** Nothing that was decided is in doubt any more. */
async function letFlow(deps: DecideDeps, tx: Tx): Promise<void> {
  await markDoubts(tx, await store.listWaiting(tx));
  await flow(deps, tx, await readMarket(tx));
}

/**
 * Takes an admin's no back: it has no weight any more, and the next run that hears the figure asks.
 *
 * @throws Refusal 404; 409 `not_refused`
 */
export async function takeBackRefusal(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  origin: Origin,
  id: Id,
): Promise<QuarantinedRate> {
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    await lockRates(tx);
    const row = await store.findQuarantined(tx, id);
    if (row === undefined) throw notFound();
    if (row.decision !== 'refused')
      throw new Refusal(409, 'not_refused', 'There is no refusal of this rate to take back.');
    const change = { decision: 'withdrawn', decided_by: actor.id, decided_at: now } as const;
    await store.updateQuarantined(tx, id, change);
    await recordWord(tx, actor, origin, 'rate.refusal_taken_back', row);
    return presentStored(tx, id);
  });
}

async function recordWord(
  tx: Tx,
  actor: Actor,
  origin: Origin,
  action: string,
  row: store.QuarantineRow,
): Promise<void> {
  const { unit, base, provider, reason, previous_rate, change_percent } = row;
  // Of a rate that crept the previous one is not the one before it: the reason tells.
  const rate = shortest(row.rate);
  const data = { unit, base, rate, provider, reason, previous_rate, change_percent };
  await record(tx, { actor, origin, action, subject_kind: 'rate', subject_id: unit, data });
}

async function presentStored(tx: Tx, id: Id): Promise<QuarantinedRate> {
  const row = await store.findQuarantined(tx, id);
  if (row === undefined) throw notFound();
  return present(row);
}

async function believe(tx: Tx, row: store.QuarantineRow, maxHours: number): Promise<void> {
  const { rates } = await readMarket(tx);
  if (newerThan(rates, row) !== null)
    throw new Refusal(409, 'rate_outdated', 'A newer rate is believed by now.');
  const believed = asBelieved(row, new Date(row.as_of.getTime() + maxHours * HOUR));
  const { redundant } = inPlace(rates, believed);
  await forgetPast(tx, [row.unit, ...redundant.map((each) => each.unit)]);
  await writeRates(tx, [believed]);
}
