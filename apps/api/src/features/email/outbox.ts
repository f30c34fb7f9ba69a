/**
 * The job that sends one email. pg-boss retries what failed. Once a server has an email only its answer
 * says whether it accepts it: where that is lost (the process ends, the connection breaks) the email
 * is sent again, with the same Message-ID.
 */
import { fillPath } from '@cambist/contract/endpoint';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '#kernel/clock.ts';
import type { Id } from '#kernel/id.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { JobQueue } from '#platform/jobs/jobs.ts';
import { signedId } from '#platform/security/signed-id.ts';
import { read } from '#features/content/settings/settings.ts';
import type { MailFrom } from '../../mail-server.ts';
import type { EmailContent } from './email.ts';
import { SEAL } from './queue.ts';
import {
  deliver,
  isRefusedForGood,
  isUndeliverable,
  withoutSecrets,
  type Route,
  type SmtpFailure,
} from './smtp.ts';
import * as store from './store.ts';
import { renderTemplate, type RenderedEmail } from './template.ts';

/** With pg-boss's growing waits about six hours: a mail server's bad morning. */
const ATTEMPTS = 16;
/** Before a sent email that cannot be noted as sent must be sent again. */
const NOTE_ATTEMPTS = 5;
const MAX_ERROR_CHARACTERS = 500;

export function emailQueue(deps: Deps): JobQueue {
  const idOf = (data: unknown) => (data as { id: Id }).id;
  return {
    attempts: ATTEMPTS,
    handler: (data) => sendEmail(deps, idOf(data)),
    onFailed: (data) => markFailed(deps, idOf(data)),
  };
}

/** Sends one email that waits; may be called more than once. @throws {Error} to be retried */
async function sendEmail(deps: Deps, id: Id): Promise<void> {
  const email = await store.beginAttempt(deps.db, id);
  if (email === undefined) return;
  const { kind, attempts: attempt } = email;
  if (email.expires_at !== null && email.expires_at <= deps.clock()) {
    await markFailed(deps, id, { last_error: 'It expired before it could be sent.' });
    return;
  }
  try {
    const { name, content } = email.data as { name: string; content: EmailContent };
    await transmit(deps, {
      id,
      messageId: email.message_id,
      at: email.created_at,
      to: { name, address: email.recipient },
      content: { ...content, subject: email.subject },
      secret: email.secret === null ? null : deps.keys.open(SEAL, email.secret, id),
    });
  } catch (error) {
    const last_error = error instanceof Error ? error.message : String(error);
    if (isRefusedForGood(error)) {
      await markFailed(deps, id, { last_error, undeliverable: isUndeliverable(error) });
      return;
    }
    await store.updateWaiting(deps.db, id, { last_error });
    throw error;
  }
  await noteSent(deps, email);
  deps.log.info({ email: id, kind, attempt }, 'An email was sent.');
}

async function markFailed(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  id: Id,
  change: { readonly last_error?: string; readonly undeliverable?: boolean } = {},
): Promise<void> {
  if (!(await store.updateWaiting(db, id, { ...change, state: 'failed' }))) return;
  log.error({ email: id, error: change.last_error }, 'An email has failed.');
}

/** The database may be unavailable for a moment just now. */
async function noteSent(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, delete_after_sending }: store.EmailRow,
): Promise<void> {
  const sent = { state: 'sent', sent_at: clock(), secret: null, last_error: null } as const;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await transaction(db, async (tx) => {
        if (delete_after_sending) await store.deleteEmail(tx, id);
        else await store.updateWaiting(tx, id, sent);
      });
      return;
    } catch (error) {
      if (attempt === NOTE_ATTEMPTS) throw error;
      await sleep(attempt * SECOND);
    }
  }
}

interface Outgoing {
  readonly id: Id;
  readonly messageId: string;
  readonly at: Date;
  readonly to: MailFrom;
  readonly content: EmailContent;
  readonly secret: string | null;
}

/**
 * Renders an email and hands it to the mail server; answers what the server said.
 * @throws {Error} the server's refusal or the network's error, without the email's secrets
 */
export async function transmit(
  deps: Deps,
  { id, messageId, at, to, content, secret }: Outgoing,
  by: { readonly idleMs?: number; readonly route?: Route } = {},
): Promise<string> {
  const { config, keys } = deps;
  const { action, link, answerable, writtenBy } = content;
  const linkToken = link === undefined ? null : signedId(keys, link.signs.purpose, link.signs.id);
  const url = action ? linkTo(config.frontendUrl, action.path, secret) : null;
  const rendered = await render(deps, content, { recipient: to.address, url, linkToken });
  const replyTo = answerable ? (await read(deps, 'general')).contact_email : null;
  try {
    return await deliver(
      deps,
      {
        ...rendered,
        id,
        messageId,
        date: at,
        to,
        subject: content.subject,
        headers: {
          ...headersOf(config, content, linkToken),
          ...(replyTo ? { 'Reply-To': replyTo } : {}),
        },
        ...(writtenBy ? { writtenBy } : {}),
      },
      by,
    );
  } catch (error) {
    throw cleaned(error, [secret, linkToken]);
  }
}

/** An email as its recipient sees it. */
export async function render(
  deps: Pick<Deps, 'db' | 'published' | 'config'>,
  content: EmailContent,
  frame: {
    readonly recipient: string;
    /** The action's address, with its token. */
    readonly url: string | null;
    readonly linkToken: string | null;
  },
): Promise<RenderedEmail> {
  const { site_name, company_name, company_address, contact_email } = await read(deps, 'general');
  const { frontendUrl } = deps.config;
  const { link, more } = content;
  const { recipient, url, linkToken } = frame;
  return renderTemplate(content, {
    siteName: site_name,
    company: [company_name, company_address.replaceAll(/\s*\n\s*/g, ', ')],
    recipient,
    contactEmail: contact_email,
    url,
    linkUrl: link && linkToken !== null ? linkTo(frontendUrl, link.path + linkToken, null) : null,
    moreUrl: more ? linkTo(frontendUrl, more.path, null) : null,
  });
}

export function messageIdOf({ frontendUrl }: Pick<Deps['config'], 'frontendUrl'>, id: Id): string {
  return `<${id}@${new URL(frontendUrl).hostname}>`;
}

/** How mailboxes sort a list's emails (RFC 2919), and their own unsubscribe button (RFC 8058). */
function headersOf(
  { appUrl, frontendUrl }: Pick<Deps['config'], 'appUrl' | 'frontendUrl'>,
  { link, writtenBy }: EmailContent,
  token: string | null,
): Record<string, string> {
  const listId = { 'List-Id': `<newsletter.${new URL(frontendUrl).hostname}>` };
  const headers = writtenBy === 'list' ? listId : {};
  if (link?.oneClick === undefined || token === null) return headers;
  return {
    ...headers,
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

/** A spam filter may quote the link that it rejects. */
function cleaned(error: unknown, secrets: readonly (string | null)[]): Error {
  const found = secrets.filter((secret) => secret !== null);
  const clean = (text: string) => withoutSecrets(text.slice(0, MAX_ERROR_CHARACTERS), found);
  const { message, command, responseCode, response = '' } = error as Error & SmtpFailure;
  const rest = { command, responseCode, response: clean(response) };
  return Object.assign(new Error(clean(message)), rest);
}
