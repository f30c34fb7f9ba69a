/**
 * Emails to all admins with a permission about a change that a thief with one stolen session would
 * make: who made it, what was before and what is after.
 */
import type { Permission } from '@cambist/contract/endpoint';
import {
  enqueueEmail,
  type EmailContent,
  type EmailDeps,
  type Fact,
  type Recipient,
} from '#features/email/email.ts';
import { FORMER_SERVER } from '#features/email/queue.ts';
import { newId } from '#kernel/id.ts';
import type { SensitiveChange } from '#features/content/settings/writing.ts';
import { transaction, type Tx } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import { adminsWith } from '../users.ts';

export interface AdminEmail {
  /** Such as `pair-changed`. */
  readonly kind: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly facts: readonly Fact[];
  readonly action: { readonly label: string; readonly path: string };
}

export async function emailAdmins(
  deps: EmailDeps,
  tx: Tx,
  permission: Permission,
  email: AdminEmail,
  alsoTo: readonly Recipient[] = [],
): Promise<void> {
  const admins = await adminsWith(tx, permission);
  const others = alsoTo.filter(({ userId }) => !admins.some((admin) => admin.userId === userId));
  for (const to of [...admins, ...others])
    await enqueueEmail(deps, tx, {
      kind: email.kind,
      to,
      content: contentOf(email),
      essential: true,
    });
}

function contentOf({ subject, paragraphs, facts, action }: AdminEmail): EmailContent {
  return {
    subject,
    preview: paragraphs[0] ?? subject,
    heading: subject,
    paragraphs,
    facts,
    action,
    note: 'If nobody of you did this, somebody else may use an admin’s account: end its sessions on the page Users at once.',
  };
}

type Differences = Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;

/** A line for each changed field: `before → after`. */
export function differenceFacts(changes: Differences): Fact[] {
  return Object.entries(changes).map(([field, { before, after }]) => ({
    label: sentenceCase(field),
    value: `${written(before)} → ${written(after)}`,
  }));
}

function sentenceCase(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value of JSON in words: `usd 750.50, eur 700`. */
function written(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(written).join(', ');
  if (typeof value === 'object') return Object.values(value).map(written).join(' ');
  return String(value);
}

/** The handler of the job that settings enqueue. */
export async function emailSensitiveSettings(
  deps: EmailDeps & Pick<Deps, 'db'>,
  { slug, by, changes, former }: SensitiveChange,
): Promise<void> {
  const email = {
    kind: 'settings-changed',
    subject: `Settings were changed: ${sentenceCase(slug.replaceAll('-', '_'))}`,
    paragraphs: [
      `${by} changed these settings, with which somebody could redirect money or emails.`,
    ],
    facts: differenceFacts(changes),
    action: { label: 'Open the settings', path: `/admin/settings/${slug}` },
  };
  await transaction(deps.db, async (tx) => {
    await emailAdmins(deps, tx, 'money', email);
    if (former === null) return;
    for (const { name, email: address } of await adminsWith(tx, 'money')) {
      const to = { name, address };
      await deps.jobs.enqueue(tx, FORMER_SERVER, {
        id: newId(),
        former,
        to,
        content: contentOf(email),
      });
    }
  });
}
