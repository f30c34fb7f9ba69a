/**
 * The outbox: one attempt to send a letter, and what follows. Once a server has a
 * letter, only its answer tells whether it takes it. Where that is lost (our process
 * ends, the connection breaks, ten minutes pass) or we cannot note it, the letter is
 * sent again, never under another Message-ID. Otherwise nobody sends it twice: lease.ts.
 */
import { fillPath } from '@cambist/contract/endpoint';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { JobRun } from '#platform/jobs.ts';
import { signedId } from '#platform/signed-id.ts';
import { read } from '#features/content/settings/settings.ts';
import { deliver, isMailboxGone, isRefused, isRefusedForGood, type Outgoing } from './delivery.ts';
import { askWhenDue, keepLease, lease } from './lease.ts';
import type { LetterContent, LettersOwner } from './letter.ts';
import { jobOf, LETTERS, SEAL } from './queue.ts';
import { withoutPieces } from './secret-pieces.ts';
import * as store from './store.ts';
import { render, type Rendered } from './template.ts';

/** Waits after each failed attempt, six hours in all: a server's bad morning. After the last it is dead. */
const WAITS_MS = [
  10 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  40 * MINUTE,
  2 * HOUR,
  3 * HOUR,
];
/** How often it is tried to note that a letter is out, before it must be sent again. */
const NOTE_ATTEMPTS = 6;

interface Sending {
  /** Whose queue the letter waits in. */
  readonly owner?: LettersOwner | undefined;
  /** Of the queue's worker. Without it a slow server is waited for. */
  readonly job?: JobRun | undefined;
}

/**
 * Sends one letter, if it is due; a job may ask for it more than once. A server that is slow with
 * its last word keeps no worker from other letters: this answers then, and the sending goes on.
 */
export async function sendLetter(deps: Deps, id: Id, { owner, job }: Sending = {}): Promise<void> {
  const letter = await lease(deps, id);
  if (letter === null) return;
  if (letter.useful_until !== null && letter.useful_until <= deps.clock()) {
    await bury(deps, letter, {
      words: 'It came too late to be of use, so it was not sent.',
      owner,
    });
    return;
  }
  const { promise: slow, resolve: onSlow } = Promise.withResolvers<'slow'>();
  const trying = attempt(deps, letter, { owner, job, onSlow: () => onSlow('slow') });
  if ((await Promise.race([trying, slow])) !== 'slow') return;
  const goesOn = trying.catch((error: unknown) => {
    deps.log.error({ letter: id, err: error }, 'What became of a letter could not be noted.');
  });
  // Who is told to stop waits for its workers, and for what they had set aside before.
  if (!job || job.stopping.aborted || !job.aside.take(goesOn)) return trying;
  // For when this process ends before the server's word.
  await transaction(deps.db, (tx) => askWhenDue(deps, tx, id));
}

async function attempt(
  deps: Deps,
  letter: store.LetterRow,
  { owner, job, onSlow }: Sending & { readonly onSlow: () => void },
): Promise<void> {
  let wasSlow = false;
  const noteSlow = () => {
    wasSlow = true;
    onSlow();
  };
  try {
    await keepLease(deps, letter, job?.stopping, async () =>
      deliver(deps, await outgoing(deps, letter, await owner?.words()), { onSlow: noteSlow }),
    );
  } catch (error) {
    await failed(deps, letter, { error, owner });
    return;
  }
  await note(deps, letter, { owner, wasSlow });
  const { id, kind } = letter;
  deps.log.info({ letter: id, kind, attempt: letter.attempts }, 'A letter was sent.');
}

async function outgoing(
  deps: Deps,
  letter: store.LetterRow,
  words?: LetterContent,
): Promise<Outgoing> {
  const { name, content: kept } = wordsIn(letter);
  const content = words ?? kept;
  const { config } = deps;
  const linkToken = linkTokenOf(deps, content);
  const secret = secretOf(deps, letter);
  const url = content.action ? linkTo(config.frontendUrl, content.action.path, secret) : null;
  return {
    ...(await rendered(deps, content, { recipient: letter.recipient, url, linkToken })),
    ...(content.writtenBy ? { writtenBy: content.writtenBy } : {}),
    headers: {
      ...oneClickHeaders(config, content, linkToken),
      ...(content.writtenBy === 'list' ? listHeaders(config) : {}),
      ...(content.answerable ? { 'Reply-To': await answersTo(deps) } : {}),
    },
    id: letter.id,
    messageId: letter.message_id,
    date: letter.created_at,
    to: { name, address: letter.recipient },
    subject: letter.subject,
  };
}

/** A letter as its reader sees it. */
export async function rendered(
  deps: Pick<Deps, 'db' | 'published' | 'config'>,
  content: LetterContent,
  {
    recipient,
    url,
    linkToken,
  }: {
    readonly recipient: string;
    /** The action's address, with its token. */
    readonly url: string | null;
    readonly linkToken: string | null;
  },
): Promise<Rendered> {
  const { site_name, company_name, company_address, contact_email } = await read(deps, 'general');
  const { frontendUrl } = deps.config;
  const { link, more } = content;
  return render(content, {
    siteName: site_name,
    company: [company_name, company_address.replaceAll(/\s*\n\s*/g, ', ')],
    recipient,
    contactEmail: contact_email,
    url,
    linkUrl: link && linkToken !== null ? linkTo(frontendUrl, link.path + linkToken, null) : null,
    moreUrl: more ? linkTo(frontendUrl, more.path, null) : null,
  });
}

async function answersTo(deps: Deps): Promise<string> {
  return (await read(deps, 'general')).contact_email;
}

function secretOf({ keys }: Pick<Deps, 'keys'>, letter: store.LetterRow): string | null {
  return letter.secret === null ? null : keys.open(SEAL, letter.secret, letter.id);
}

/** A letter's name for its reader, and what it tells. */
function wordsIn({ data }: store.LetterRow) {
  return data as { name: string; content: LetterContent };
}

function linkTokenOf({ keys }: Pick<Deps, 'keys'>, { link }: LetterContent): string | null {
  return link === undefined ? null : signedId(keys, link.signs.purpose, link.signs.id);
}

/** What a mailbox makes its own button of, which stops such letters without opening a page (RFC 8058). */
function oneClickHeaders(
  { appUrl }: Pick<Deps['config'], 'appUrl'>,
  { link }: LetterContent,
  token: string | null,
): Record<string, string> {
  if (link?.oneClick === undefined || token === null) return {};
  return {
    'List-Unsubscribe': `<${linkTo(appUrl, fillPath(link.oneClick, { token }), null)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** By what mailboxes sort a list's letters (RFC 2919). */
function listHeaders({ frontendUrl }: Pick<Deps['config'], 'frontendUrl'>) {
  return { 'List-Id': `<newsletter.${new URL(frontendUrl).hostname}>` };
}

/** @throws {Error} for a path that leads away from the origin. */
export function linkTo(origin: string, path: string, token: string | null): string {
  const url = new URL(path, origin);
  if (url.origin !== new URL(origin).origin) throw new Error(`"${path}" leads elsewhere.`);
  if (token !== null) url.searchParams.set('token', token);
  return url.href;
}

async function failed(
  deps: Deps,
  letter: store.LetterRow,
  { error, owner }: { readonly error: unknown; readonly owner: LettersOwner | undefined },
): Promise<void> {
  const words = wordsOf(deps, letter, error);
  const waitMs = WAITS_MS[letter.attempts - 1];
  // A campaign stops by itself where many are refused: its letters do not wait for the sender.
  const isOver = owner ? isRefused(error) : isRefusedForGood(error);
  if (waitMs === undefined || isOver) {
    await bury(deps, letter, { words, owner, bounced: isMailboxGone(error) });
    return;
  }
  const { id, kind, queue, attempts: attempt } = letter;
  deps.log.warn({ letter: id, kind, attempt, error: words }, 'A letter could not be sent yet.');
  const startAfter = new Date(deps.clock().getTime() + waitMs);
  await transaction(deps.db, async (tx) => {
    await store.updateWaiting(tx, id, { last_error: words, next_attempt_at: startAfter });
    await deps.jobs.enqueue(tx, queue, { id }, { key: id, startAfter });
  });
}

interface Burial {
  readonly words: string;
  readonly owner: LettersOwner | undefined;
  readonly bounced?: boolean;
}

async function bury(
  deps: Deps,
  letter: store.LetterRow,
  { words, owner, bounced = false }: Burial,
): Promise<void> {
  const { id, kind, attempts: attempt } = letter;
  await transaction(deps.db, async (tx) => {
    await store.updateWaiting(tx, id, {
      state: 'dead',
      last_error: words,
      next_attempt_at: null,
      gone: bounced,
    });
    await owner?.settled(tx, bounced ? 'bounced' : 'failed', words);
  });
  const about = { letter: id, kind, attempt, error: words };
  // An owner counts them; one of many thousand addresses is no fault of the service.
  if (owner) deps.log.warn(about, 'A letter is dead.');
  else deps.log.error(about, 'A letter is dead.');
}

const LONGEST_WORDS = 500;

/** What a server says may repeat a part of the letter: a spam filter names the link that it dislikes. */
function wordsOf(deps: Pick<Deps, 'keys'>, letter: store.LetterRow, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  let clean = words.slice(0, LONGEST_WORDS);
  try {
    for (const secret of [secretOf(deps, letter), linkTokenOf(deps, wordsIn(letter).content)])
      if (secret !== null) clean = withoutPieces(clean, secret);
  } catch {
    // They cannot be made, which is what the words are about.
  }
  return clean;
}

function sentAt(sent_at: Date) {
  return { state: 'sent', sent_at, secret: null, last_error: null, next_attempt_at: null } as const;
}

/** Notes that it is out. The database may be away for a moment just now. */
async function note(
  deps: Deps,
  { id, queue, fleeting }: store.LetterRow,
  { owner, wasSlow }: { readonly owner: LettersOwner | undefined; readonly wasSlow: boolean },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await transaction(deps.db, async (tx) => {
        if (fleeting) await store.deleteLetter(tx, id);
        else await store.updateWaiting(tx, id, sentAt(deps.clock()));
        await owner?.settled(tx, 'sent', '');
        // The job that was to look after it had this process ended.
        if (wasSlow) await deps.jobs.takeBack(tx, queue, [id]);
      });
      return;
    } catch (error) {
      if (attempt === NOTE_ATTEMPTS) throw error;
      await sleep(attempt * SECOND);
    }
  }
}

/**
 * Asks again for letters whose job is gone; a restored backup of the letters
 * alone would be such a case. Other queues are their owners' to look after: one of
 * them may hold its letters back for ever. Answers how many.
 */
export async function rouseForgotten(deps: Deps): Promise<number> {
  const before = new Date(deps.clock().getTime() - 10 * MINUTE);
  return transaction(deps.db, async (tx) => {
    const overdue = await store.listOverdue(tx, before);
    await deps.jobs.enqueueAll(tx, LETTERS, overdue.map(jobOf));
    return overdue.length;
  });
}
