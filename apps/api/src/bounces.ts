/** Messages to the address for bounces, from outside: for a command that a mail server starts. */
import { pino } from 'pino';
import type { Id } from '#kernel/id.ts';
import { wordsIn } from '#features/mail/outbox.ts';
import { readReturn, takeBack, type ReportedLetter, type Unread } from '#features/mail/returned.ts';
import { findLetter } from '#features/mail/store.ts';
import { campaignLetterReturned, endByComplaint } from '#features/newsletter/returned.ts';
import { endAlertByComplaint } from '#features/rate-alerts/returned.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Config } from './config.ts';
import { openDeps } from './open.ts';

export type Taken =
  /**
   * By complaining its reader `left` the newsletter, or `stopped` a rate alert; the others say for
   * whose sake it came back.
   */
  | { readonly done: 'mailbox' | 'letter' | 'sender' | 'left' | 'stopped'; readonly letter: Id }
  /** Nothing was to be done, or it was done before. */
  | {
      readonly done: 'nothing';
      readonly because: 'known' | 'delayed' | 'complaint' | Unread;
    }
  /** The same message is to be brought again later. */
  | { readonly done: 'later' };

/** Reads one message and notes what it says of a letter. @throws {Error} without a database that answers */
export async function takeMessage(
  config: Config,
  databaseUrl: string,
  raw: Buffer,
): Promise<Taken> {
  const log = pino({ level: 'silent' });
  const { deps, close } = openDeps({ config, databaseUrl, log, poolSize: 1 });
  try {
    const read = await readReturn(deps, raw);
    if (typeof read === 'string') return { done: 'nothing', because: read };
    if (read.report.kind === 'delayed') return { done: 'nothing', because: 'delayed' };
    if (read.report.kind === 'complaint') return await complained(deps, read.id);
    return await returned(deps, read);
  } finally {
    await close();
  }
}

async function returned(deps: Deps, { id, report }: ReportedLetter): Promise<Taken> {
  return transaction(deps.db, async (tx) => {
    const outcome = await takeBack(deps, tx, { id, recipients: report.recipients });
    if (outcome === 'waiting') return { done: 'later' };
    if (outcome === 'known' || outcome === 'foreign') return { done: 'nothing', because: outcome };
    await campaignLetterReturned(deps, tx, id, outcome);
    return { done: outcome.blamed, letter: id };
  });
}

async function complained(deps: Deps, id: Id): Promise<Taken> {
  return transaction(deps.db, async (tx) => {
    const letter = await findLetter(tx, id);
    if (letter === undefined) return { done: 'nothing', because: 'foreign' };
    if (await endByComplaint(deps, tx, letter)) return { done: 'left', letter: id };
    if (await endAlertByComplaint(tx, wordsIn(letter).content))
      return { done: 'stopped', letter: id };
    return { done: 'nothing', because: 'complaint' };
  });
}
