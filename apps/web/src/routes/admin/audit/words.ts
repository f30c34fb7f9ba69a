/**
 * What happened, in sentences. An action of a later feature is told by its own
 * name: the log never hides what it has no words for.
 */
import type { AuditEvent } from '@cambist/contract/audit';
import { quarantineReasons, type QuarantineReason } from '@cambist/contract/rate-quarantine';
import { m } from '#lib/paraglide/messages.js';
import sentences from './sentences.json' with { type: 'json' };

/** A sentence in pieces: words, and the places of who did it and to whom. */
export type Part = { readonly words: string } | 'actor' | 'subject';

const places: Readonly<Record<string, Part>> = { '{name}': 'actor', '{subject}': 'subject' };
const known: Readonly<Record<string, string>> = sentences;

/** The words know neither: whoever is called Admin must not read like the service's own words. */
export function sentenceOf({ action }: Pick<AuditEvent, 'action'>): Part[] {
  const text = known[action] ?? `{name}: ${action.replace(/[._]+/g, ' ')}`;
  return text
    .split(/(\{name\}|\{subject\})/)
    .filter((piece) => piece !== '')
    .map((piece) => places[piece] ?? { words: piece });
}

type Actor = Pick<AuditEvent, 'actor_kind' | 'actor_name'>;

export function actorName({ actor_kind, actor_name }: Actor): string {
  if (actor_name !== null) return actor_name;
  if (actor_kind === 'guest') return m.people_audit_guest();
  return actor_kind === 'system' ? m.people_audit_system() : m.people_audit_gone();
}

/** The choices of the filter: the beginnings of actions, and what they are called. */
export const auditKinds: Readonly<Record<string, () => string>> = {
  'auth.': m.people_audit_kind_auth,
  'users.': m.people_title,
  'exchange.': m.admin_nav_exchanges,
  'reserve.': m.admin_nav_reserves,
  'pair.': m.people_audit_kind_pair,
  'rate.': m.sync_quarantine_done,
  'rates.': m.people_audit_kind_rates,
  'currency.': m.admin_nav_currencies,
  'settings.': m.settings_title,
  'legal_pages.': m.legal_admin_title,
  'contact.': m.contact_inbox_title,
  'newsletter.': m.news_subscribers,
  'campaign.': m.news_campaigns,
  'feature_report.': m.contact_reports_title,
  'blog.': m.posts_title,
  'media.': m.media_title,
  'email.': m.mail_title,
  'task.': m.sync_tasks_title,
};

const waits: Readonly<Record<QuarantineReason, () => string>> = {
  jump: m.people_audit_rate_jump,
  drift: m.people_audit_rate_drift,
};

/** Of a rate, why it waited, by a code; of everything else, the text that was typed, in quotation marks. */
export function reasonOf({
  subject_kind,
  data,
}: Pick<AuditEvent, 'subject_kind' | 'data'>): string | null {
  const { reason } = data;
  if (typeof reason !== 'string') return null;
  if (subject_kind !== 'rate') return `“${reason}”`;
  const code = quarantineReasons.find((each) => each === reason);
  return code === undefined ? null : waits[code]();
}
