/**
 * Tells the desk's admins what needs them: rates that wait for a yes or no, in
 * the transaction of the run that put them aside, and rates that grow old since
 * runs fail. Each is told once, so a broken provider fills nobody's mailbox.
 */
import type { RateApi } from '@cambist/contract/rate-settings';
import { inverse } from '@cambist/money/fraction';
import { DAY } from '#kernel/clock.ts';
import { adminsWith } from '#features/auth/auth.ts';
import { post, type LetterContent } from '#features/mail/mail.ts';
import { readMarket } from '#features/market/market.ts';
import { unitsOfDesk } from '#features/pairs/pairs.ts';
import { read } from '#features/content/settings/settings.ts';
import { transaction, type Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { fractionFor, moves, type Edge } from './comparison.ts';
import { agedLetter, quarantineLetter, recoveredLetter } from './mails.ts';
import { overdueOf } from './overdue.ts';
import * as quarantine from './quarantine-store.ts';
import * as runs from './store.ts';
import * as store from './watch-store.ts';

type PostDeps = Pick<Deps, 'keys' | 'jobs' | 'clock' | 'config'>;
type ReadPostDeps = PostDeps & Pick<Deps, 'db' | 'published'>;

/** What comes and goes at the same figure, without anybody's decision, is told once a day. */
const SAME_QUESTION_MS = DAY;

/** One letter for all that the run has put aside and nobody was told of yet. */
export async function tellWaiting(
  deps: PostDeps,
  tx: Tx,
  { jump_percent }: Pick<RateApi, 'jump_percent'>,
  now: Date,
): Promise<void> {
  const untold = await quarantine.listUntold(tx);
  if (untold.length === 0) return;
  const gone = await quarantine.listToldAndGone(tx, new Date(now.getTime() - SAME_QUESTION_MS));
  const waiting = untold.filter(
    (row) =>
      !gone.some(({ unit, told }) => told && isAskedAgain({ unit, ...told }, row, jump_percent)),
  );
  if (waiting.length === 0) return;
  const ids = waiting.map(({ id }) => id);
  await quarantine.markTold(tx, ids, now);
  await tell(deps, tx, 'rates-waiting', quarantineLetter(waiting));
}

/** Whether no jump lies between the figure that was told and this one: then it is the same question. */
function isAskedAgain(told: Edge, row: Edge, jumpPercent: string): boolean {
  const isTurned = told.unit === row.base && told.base === row.unit;
  if (!isTurned && (told.unit !== row.unit || told.base !== row.base)) return false;
  const before = isTurned ? inverse(fractionFor(told)) : fractionFor(told);
  return !moves(before, fractionFor(row), jumpPercent, row.inverted);
}

const GRAVITY = { live: 0, delayed: 1, stale: 2 } as const;

/** The task: compares how old the rates are with what admins were told. */
export async function watch(deps: ReadPostDeps): Promise<string> {
  const settings = await read(deps, 'rate-api');
  const { time_zone: timeZone } = await read(deps, 'general');
  const now = deps.clock();
  return transaction(deps.db, async (tx) => {
    const told = await store.lockState(tx, now);
    const { needed } = await unitsOfDesk(tx);
    const overdue = overdueOf((await readMarket(tx)).rates, needed, settings, now);
    const state = overdue.reduce<keyof typeof GRAVITY>(
      (gravest, rate) => (GRAVITY[rate.state] > GRAVITY[gravest] ? rate.state : gravest),
      'live',
    );
    // Better and still not well is no news: what is told next is worse, or the end of it.
    if (state === told || (state !== 'live' && GRAVITY[state] < GRAVITY[told])) return state;
    await store.updateState(tx, state, now);
    if (state !== 'live') {
      const attempts = (await runs.findLastFinished(tx))?.attempts ?? [];
      const aged = { overdue, attempts, limits: settings, timeZone };
      await tell(deps, tx, `rates-${state}`, agedLetter(state, aged));
    } else if (settings.enabled) {
      // Who switches the synchronisation off knows it.
      await tell(deps, tx, 'rates-recovered', recoveredLetter());
    }
    return `${told} → ${state}`;
  });
}

async function tell(deps: PostDeps, tx: Tx, kind: string, content: LetterContent): Promise<void> {
  // Essential: it is about the desk's money, and a run must not fail for want of a letter's key.
  for (const to of await adminsWith(tx, 'money'))
    await post(deps, tx, { kind, to, content, essential: true });
}
