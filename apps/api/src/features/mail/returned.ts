/**
 * Letters that a server took and sent back later. Each is found by the address that the report
 * came to, and noted as a refusal at once would have been.
 */
import { blamedBy, type Blamed } from '@cambist/contract/mail-answers';
import type { Id } from '#kernel/id.ts';
import type { Tx } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { readBounceAddress } from './bounce-address.ts';
import { oneLine } from './header.ts';
import { wordsOf } from './outbox.ts';
import type { GivenUp, Report } from './report.ts';
import { readReportInTime } from './report-in-time.ts';
import { withoutLinks } from './secret-pieces.ts';
import * as store from './store.ts';

/** What became of a letter that had been taken. */
export interface Returned {
  readonly blamed: Blamed;
  /** What a server said; no secret of the letter is in it. */
  readonly words: string;
}

/** Whom an incoming report is about. */
export interface ReportedLetter {
  readonly id: Id;
  readonly report: Report;
}

/** Why a message says nothing of a letter; `foreign`: of none that is known here. */
export type Unread = 'person' | 'machine' | 'foreign' | 'unreadable';

/**
 * Reads a message that came to the address for bounces. Of one that names no address made here
 * nothing else is read: anybody can send them.
 */
export async function readReturn(
  { keys }: Pick<Deps, 'keys'>,
  raw: Buffer,
): Promise<ReportedLetter | Unread> {
  const whole = raw.toString('latin1').replaceAll(/=\r?\n/g, '');
  if (readBounceAddress(keys, [whole]) === null) return 'foreign';
  const report = await readReportInTime(raw);
  if (report === null) return 'unreadable';
  if (report.kind === 'person' || report.kind === 'machine') return report.kind;
  const id = readBounceAddress(keys, report.mentions);
  return id === null ? 'foreign' : { id, report };
}

/**
 * Notes it, once. `known`: it was noted before; `waiting`: it is not noted yet that the letter is
 * out, so this comes too early.
 */
export async function takeBack(
  deps: Deps,
  tx: Tx,
  { id, recipients }: { readonly id: Id; readonly recipients: readonly GivenUp[] },
): Promise<Returned | 'known' | 'waiting' | 'foreign'> {
  const letter = await store.lockLetter(tx, id);
  if (letter === undefined) return 'foreign';
  if (letter.state === 'waiting') return 'waiting';
  if (letter.state === 'dead') return 'known';
  const { blamed, answer } = judged(letter.recipient, recipients);
  // What its link's token was is not known any more.
  const words = oneLine(withoutLinks(wordsOf(deps, letter, answer)));
  const now = deps.clock();
  await store.updateSent(tx, id, {
    state: 'dead',
    sent_at: null,
    last_error: words,
    gone: blamed === 'mailbox',
    // Its link's token went with it, so that it cannot be sent again.
    ...(letter.useful_until === null ? {} : { useful_until: now }),
  });
  return { blamed, words };
}

/**
 * Of the reader's own address, or of one that it leads to: that mailbox is there, and its owner
 * may mend where it leads.
 */
function judged(recipient: string, recipients: readonly GivenUp[]) {
  const own = recipients.find(({ addresses }) => addresses.includes(recipient.toLowerCase()));
  const answer = (own ?? recipients[0])?.answer ?? '';
  const isPassing = answer.startsWith('4');
  // A try that was put off for days says the same of the sender as a refusal.
  const blamed = blamedBy(answer.replace(/^4(\d\d[ -])4\./, '5$15.'));
  const isOther = blamed === 'mailbox' && (isPassing || own === undefined);
  return { answer, blamed: isOther ? ('letter' as const) : blamed };
}
