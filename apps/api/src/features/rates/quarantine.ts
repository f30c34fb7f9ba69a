/**
 * Rates that moved too far: they wait for an admin's yes or no, at most one of
 * each unit, and nobody is quoted meanwhile what is made of them. A later run that
 * believes the same edge, or another rate of the unit, withdraws the question.
 */
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { compare, parseDecimal, shortest } from '@cambist/money/decimal';
import type { Actor, Origin } from '#kernel/actor.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import { newId, type Id } from '#kernel/id.ts';
import { notFound, Refusal } from '#kernel/refusal.ts';
import { record } from '#features/audit/audit.ts';
import {
  exactCross,
  forgetPast,
  markDoubts,
  marketOf,
  readMarket,
  writeRates,
} from '#features/market/market.ts';
import { flow } from '#features/pairs/pairs.ts';
import { read } from '#features/settings/settings.ts';
import { transaction, type Db, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { OpinionJson } from '#platform/rate-tables.ts';
import type { Claim } from './claims.ts';
import { isSameQuestion, says } from './comparison.ts';
import { runClock } from './run-clock.ts';
import type { Judgement, Law, Outvoted } from './law.ts';
import { opinionsOn, presentOpinion, type Word } from './opinions.ts';
import { asBelieved, inPlace, newerThan, outdatedBy } from './outdated.ts';
import { feedOf, labelOf } from './providers.ts';
import * as store from './quarantine-store.ts';
import { lockRates } from './store.ts';

const SHOWN = 100;

/** Those that wait, then those that were decided last. What a later yes has ended has no weight any more. */
export async function listQuarantine(deps: Pick<Deps, 'db' | 'clock'>): Promise<QuarantinedRate[]> {
  const { db } = deps;
  const now = (await runClock(deps))();
  const words = new Set(standingWords(await store.listDecided(db)).map(({ id }) => id));
  const { rates } = await readMarket(db);
  return (await store.listQuarantine(db, SHOWN, wordsSince(now))).map((row) => {
    const shown = present(row);
    if (row.decision === null) return { ...shown, outdated_by: outdatedBy(rates, row) };
    return words.has(row.id) ? shown : { ...shown, word_until: null };
  });
}

/** Of words, the newest first, those that no later yes to the same question has ended. */
function standingWords<Word extends Pick<store.QuarantineRow, 'unit' | 'base' | 'decision'>>(
  words: readonly Word[],
): Word[] {
  const yeses: Word[] = [];
  return words.filter((word) => {
    if (yeses.some((yes) => isSameQuestion(yes, word))) return false;
    if (word.decision === 'accepted') yeses.push(word);
    return true;
  });
}

/** What waits for an admin, with what others say of it. */
export interface Question extends Claim {
  readonly opinions: readonly OpinionJson[] | null;
}

/** As its provider gave it. */
export async function waitingRates(db: Db | Tx): Promise<Question[]> {
  const rows = await store.listWaiting(db);
  return rows.map(({ unit, base, rate, inverted, provider, reason, opinions, as_of, seen_at }) => ({
    unit,
    base,
    inverted,
    provider,
    reason,
    opinions,
    rate: shortest(rate),
    asOf: as_of,
    seenAt: seen_at,
  }));
}

/** So long a person's word stands against the one who goes on to say what they spoke against. */
const WORD_DAYS = 7;

/** What admins spoke against lately; a yes takes back what they said of its question before. */
export async function outvoted(db: Db | Tx, now: Date): Promise<Law['outvoted']> {
  const rows = await store.listDecided(db, wordsSince(now));
  return standingWords(rows).flatMap((row): Outvoted[] => {
    const { unit, base, rate, inverted, provider, decision, previous_rate } = row;
    const edge = { unit, base, inverted, provider };
    if (decision === 'refused')
      return [{ ...edge, rate: shortest(rate), whose: 'its', isExact: row.reason === 'drift' }];
    const former = row.former_rate ?? previous_rate;
    return former === null ? [] : [{ ...edge, rate: former, whose: 'others', accepted: rate }];
  });
}

const wordEnd = (saidAt: Date) => new Date(saidAt.getTime() + WORD_DAYS * DAY);

/** An admin's no that is older has no weight any more. */
export function wordsSince(now: Date): Date {
  return new Date(now.getTime() - WORD_DAYS * DAY);
}

/**
 * Puts a run's jumps aside, and withdraws what the run has answered itself. What is `standing`
 * its provider has not taken back: another one that goes on as before may stand still.
 */
export async function keepJumps(
  tx: Tx,
  { jumps, accepted }: Pick<Judgement, 'jumps' | 'accepted'>,
  { standing, words }: { readonly standing: ReadonlySet<string>; readonly words: readonly Word[] },
  now: Date,
): Promise<void> {
  const waiting = await store.listWaiting(tx);
  const units = new Set(accepted.map(({ unit }) => unit));
  const market = marketOf(accepted, now);
  const isAnswered = ({ unit, base }: (typeof waiting)[number]) =>
    !standing.has(unit) && (units.has(unit) || exactCross(market, base, unit) !== null);
  const isOver = (row: (typeof waiting)[number]) => {
    const jump = jumps.find(({ unit }) => unit === row.unit);
    // Given in terms of another base, or the other way up, it is another one: no answer is to both.
    if (jump) return jump.base !== row.base || jump.inverted !== row.inverted;
    // What another provider says the other way round is the same question, now asked of that one.
    return says(jumps, row) || isAnswered(row);
  };
  await store.withdraw(
    tx,
    waiting.filter(isOver).map(({ id }) => id),
    now,
  );
  await store.upsertWaiting(
    tx,
    jumps.map(({ asOf, previous, former, changePercent, contradictedBy, seenAt, ...jump }) => ({
      ...jump,
      id: newId(),
      opinions: opinionsOn(
        jump,
        words,
        waiting.find(({ unit }) => unit === jump.unit),
      ),
      as_of: asOf,
      previous_rate: previous,
      former_rate: former,
      change_percent: changePercent,
      contradicted_by: contradictedBy,
      created_at: now,
      seen_at: seenAt,
    })),
  );
}

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
  const now = (await runClock(deps))();
  return transaction(deps.db, async (tx) => {
    await lockRates(tx);
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
    await markDoubts(tx, await store.listWaiting(tx));
    await flow(deps, tx, await readMarket(tx));
    await recordWord(tx, actor, origin, accepted ? 'rate.accepted' : 'rate.refused', row);
    return presentStored(tx, id);
  });
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
  const now = (await runClock(deps))();
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
  const { unit, base, rate, provider, previous_rate, change_percent } = row;
  const data = { unit, base, rate: shortest(rate), provider, previous_rate, change_percent };
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

function present(row: store.QuarantineRow): QuarantinedRate {
  const { decider, as_of, created_at, seen_at, decided_at, ...rest } = row;
  const isWord = row.decision === 'accepted' || row.decision === 'refused';
  return {
    ...rest,
    label: labelOf(row.provider),
    rate: shortest(row.rate),
    previous_rate: row.previous_rate && shortest(row.previous_rate),
    change_percent: row.change_percent && shortest(row.change_percent),
    contradicted_by: row.contradicted_by && labelOf(row.contradicted_by),
    opinions: row.opinions?.map((each) => presentOpinion(row, each)) ?? null,
    as_of: as_of.toISOString(),
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    outdated_by: null,
    decided_by: decider,
    decided_at: decided_at?.toISOString() ?? null,
    word_until: isWord && decided_at ? wordEnd(decided_at).toISOString() : null,
  };
}
