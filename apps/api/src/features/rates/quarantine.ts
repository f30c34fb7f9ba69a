/**
 * Rates that moved too far: they wait for an admin's yes or no, at most one of
 * each unit, and nobody is quoted meanwhile what is made of them. A later run that believes the same
 * edge, or another rate of the unit, or hears another figure of who asks, withdraws the question.
 */
import type { QuarantinedRate } from '@cambist/contract/rate-quarantine';
import { shortest } from '@cambist/money/decimal';
import { DAY } from '#kernel/clock.ts';
import { newId } from '#kernel/id.ts';
import { exactCross, marketOf, readMarket } from '#features/market/market.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { isCorrected, type Claim } from './claims.ts';
import { isSameQuestion, says } from './comparison.ts';
import type { Judgement, Law, Outvoted } from './law.ts';
import { opinionsOn, presentOpinion, type Word } from './opinions.ts';
import { outdatedBy } from './outdated.ts';
import { labelOf } from './providers.ts';
import * as store from './quarantine-store.ts';

const SHOWN = 100;

/** Those that wait, then those that were decided last. What a later yes has ended has no weight any more. */
export async function listQuarantine(deps: Pick<Deps, 'db' | 'clock'>): Promise<QuarantinedRate[]> {
  const { db } = deps;
  const now = deps.clock();
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

/** As its provider gave it. */
export async function waitingRates(db: Db | Tx): Promise<Claim[]> {
  const rows = await store.listWaiting(db);
  return rows.map(({ unit, base, rate, inverted, provider, reason, as_of, seen_at }) => ({
    unit,
    base,
    inverted,
    provider,
    reason,
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
  { jumps, accepted, refused }: Pick<Judgement, 'jumps' | 'accepted' | 'refused'>,
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
    return says(jumps, row) || isAnswered(row) || isCorrected(row, words, refused);
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

/** As the desk's admins see it. */
export function present(row: store.QuarantineRow): QuarantinedRate {
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
