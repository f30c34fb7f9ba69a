/**
 * The outbox: one attempt to send a letter, and what follows. A row's
 * `next_attempt_at` is also its lease: while somebody sends, it lies ahead, so
 * nobody else does. Between a server's yes and our note of it a crash can send
 * a letter twice, never under another Message-ID; nothing else can.
 */
import { fillPath } from '@cambist/contract/endpoint';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/database.ts';
import type { Deps } from '#platform/deps.ts';
import { signedId } from '#platform/signed-id.ts';
import { read } from '#features/settings/settings.ts';
import { deliver, isRefusedForGood, LONGEST_DELIVERY_MS, type Outgoing } from './delivery.ts';
import type { LetterContent } from './letter.ts';
import { LETTERS, SEAL } from './queue.ts';
import { withoutPieces } from './secret-pieces.ts';
import * as store from './store.ts';
import { render } from './template.ts';

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
const LEASE_MS = LONGEST_DELIVERY_MS + 30 * SECOND;
/** How often it is tried to note that a letter is out, before it must be sent again. */
const NOTE_ATTEMPTS = 6;

/** Sends one letter, if it is due; a job may ask for it more than once. */
export async function sendLetter(deps: Deps, id: Id): Promise<void> {
  const now = deps.clock();
  const letter = await lease(deps, id, now);
  if (letter === null) return;
  if (letter.useful_until !== null && letter.useful_until <= now) {
    await bury(deps, letter, 'It came too late to be of use, so it was not sent.');
    return;
  }
  try {
    await deliver(deps, await outgoing(deps, letter));
  } catch (error) {
    await failed(deps, letter, error);
    return;
  }
  await note(deps, letter);
  deps.log.info({ letter: id, kind: letter.kind, attempt: letter.attempts }, 'A letter was sent.');
}

/** Takes the letter for a while; null when it is done with, or somebody else's turn. */
async function lease(deps: Deps, id: Id, now: Date): Promise<store.LetterRow | null> {
  return transaction(deps.db, async (tx) => {
    const until = new Date(now.getTime() + LEASE_MS);
    const taken = await store.leaseLetter(tx, id, now, until);
    if (taken) return taken;
    const waiting = await store.findLetter(tx, id);
    if (waiting?.state === 'waiting' && waiting.next_attempt_at !== null) {
      const startAfter = waiting.next_attempt_at;
      await deps.jobs.enqueue(tx, LETTERS, { id }, { key: id, startAfter });
    }
    return null;
  });
}

async function outgoing(deps: Deps, letter: store.LetterRow): Promise<Outgoing> {
  const { site_name, company_name, company_address, contact_email } = await read(deps, 'general');
  const { name, content } = wordsIn(letter);
  const { frontendUrl } = deps.config;
  const secret = secretOf(deps, letter);
  const linkToken = linkTokenOf(deps, letter);
  const rendered = render(content, {
    siteName: site_name,
    company: [company_name, company_address.replaceAll(/\s*\n\s*/g, ', ')],
    recipient: letter.recipient,
    contactEmail: contact_email,
    url: content.action ? linkTo(frontendUrl, content.action.path, secret) : null,
    linkUrl:
      content.link && linkToken !== null
        ? linkTo(frontendUrl, content.link.path + linkToken, null)
        : null,
    moreUrl: content.more ? linkTo(frontendUrl, content.more.path, null) : null,
  });
  return {
    ...rendered,
    headers: {
      ...oneClickHeaders(deps.config, content, linkToken),
      ...(content.answerable ? { 'Reply-To': contact_email } : {}),
    },
    id: letter.id,
    messageId: letter.message_id,
    date: letter.created_at,
    to: { name, address: letter.recipient },
    subject: letter.subject,
  };
}

function secretOf({ keys }: Pick<Deps, 'keys'>, letter: store.LetterRow): string | null {
  return letter.secret === null ? null : keys.open(SEAL, letter.secret, letter.id);
}

function wordsIn({ data }: store.LetterRow) {
  return data as { name: string; content: LetterContent };
}

function linkTokenOf({ keys }: Pick<Deps, 'keys'>, letter: store.LetterRow): string | null {
  const { link } = wordsIn(letter).content;
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

/** @throws {Error} for a path that leads away from the origin. */
export function linkTo(origin: string, path: string, token: string | null): string {
  const url = new URL(path, origin);
  if (url.origin !== new URL(origin).origin) throw new Error(`"${path}" leads elsewhere.`);
  if (token !== null) url.searchParams.set('token', token);
  return url.href;
}

async function failed(deps: Deps, letter: store.LetterRow, error: unknown): Promise<void> {
  const words = wordsOf(deps, letter, error);
  const waitMs = WAITS_MS[letter.attempts - 1];
  if (waitMs === undefined || isRefusedForGood(error)) {
    await bury(deps, letter, words);
    return;
  }
  const { id, kind, attempts: attempt } = letter;
  deps.log.warn({ letter: id, kind, attempt, error: words }, 'A letter could not be sent yet.');
  const startAfter = new Date(deps.clock().getTime() + waitMs);
  await transaction(deps.db, async (tx) => {
    await store.updateWaiting(tx, id, { last_error: words, next_attempt_at: startAfter });
    await deps.jobs.enqueue(tx, LETTERS, { id }, { key: id, startAfter });
  });
}

async function bury(deps: Deps, letter: store.LetterRow, words: string): Promise<void> {
  const { id, kind, attempts: attempt } = letter;
  await transaction(deps.db, (tx) =>
    store.updateWaiting(tx, id, { state: 'dead', last_error: words, next_attempt_at: null }),
  );
  deps.log.error({ letter: id, kind, attempt, error: words }, 'A letter is dead.');
}

const LONGEST_WORDS = 500;

/** What a server says may repeat a part of the letter: a spam filter names the link that it dislikes. */
function wordsOf(deps: Deps, letter: store.LetterRow, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  let clean = words.slice(0, LONGEST_WORDS);
  try {
    for (const secret of [secretOf(deps, letter), linkTokenOf(deps, letter)])
      if (secret !== null) clean = withoutPieces(clean, secret);
  } catch {
    // They cannot be made, which is what the words are about.
  }
  return clean;
}

/** Notes that it is out. The database may be away for a moment just now. */
async function note(deps: Deps, { id }: store.LetterRow): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await transaction(deps.db, (tx) =>
        store.updateWaiting(tx, id, {
          state: 'sent',
          sent_at: deps.clock(),
          secret: null,
          last_error: null,
          next_attempt_at: null,
        }),
      );
      return;
    } catch (error) {
      if (attempt === NOTE_ATTEMPTS) throw error;
      await sleep(attempt * SECOND);
    }
  }
}

/**
 * Asks again for letters whose job is gone; a restored backup of the letters
 * alone would be such a case. Answers how many.
 */
export async function rouseForgotten(deps: Deps): Promise<number> {
  const before = new Date(deps.clock().getTime() - 10 * MINUTE);
  return transaction(deps.db, async (tx) => {
    const ids = await store.listOverdue(tx, before);
    for (const id of ids) await deps.jobs.enqueue(tx, LETTERS, { id }, { key: id });
    return ids.length;
  });
}
