/**
 * What happened, in sentences. An action of a later feature is told by its own
 * name: the log never hides what it has no words for.
 */
import type { AuditEvent } from '@cambist/contract/audit';
import { quarantineReasons, type QuarantineReason } from '@cambist/contract/rate-quarantine';
import { m } from '#lib/paraglide/messages.js';

type Words = (inputs: { name: string; subject: string }) => string;

/** A sentence in pieces: words, and the places of who did it and to whom. */
export type Part = { readonly words: string } | 'actor' | 'subject';

/** Characters that nobody's name may hold stand for the places. */
const places: Readonly<Record<string, Part>> = { '\u0001': 'actor', '\u0002': 'subject' };
const [name, subject] = ['\u0001', '\u0002'];

const sentences: Record<string, Words> = {
  'auth.signup': m.people_did_signup,
  'auth.signin': m.people_did_signin,
  'auth.signin_failed': m.people_did_signin_failed,
  'auth.signout': m.people_did_signout,
  'auth.second_factor_failed': m.people_did_second_factor_failed,
  'auth.confirmed': m.people_did_confirmed,
  'auth.confirmation_failed': m.people_did_confirmation_failed,
  'auth.email_verified': m.people_did_email_verified,
  'auth.email_change_asked': m.people_did_email_change_asked,
  'auth.email_change_dropped': m.people_did_email_change_dropped,
  'auth.email_changed': m.people_did_email_changed,
  'auth.profile_changed': m.people_did_profile_changed,
  'auth.password_changed': m.people_did_password_changed,
  'auth.password_reset_asked': m.people_did_password_reset_asked,
  'auth.password_reset': m.people_did_password_reset,
  'auth.sessions_ended': m.people_did_sessions_ended,
  'auth.totp_added': m.people_did_totp_added,
  'auth.totp_removed': m.people_did_totp_removed,
  'auth.passkey_added': m.people_did_passkey_added,
  'auth.passkey_removed': m.people_did_passkey_removed,
  'auth.provider_linked': m.people_did_provider_linked,
  'auth.provider_unlinked': m.people_did_provider_unlinked,
  'auth.recovery_codes_renewed': m.people_did_recovery_codes_renewed,
  'auth.admin_refused': m.people_did_admin_refused,
  'auth.permission_refused': m.people_did_permission_refused,
  'auth.csrf_refused': m.people_did_csrf_refused,
  'auth.confirmation_refused': m.people_did_confirmation_refused,
  'auth.admin_created': m.people_did_admin_created,
  'auth.admin_granted': m.people_did_admin_granted,
  'users.role_changed': m.people_did_user_role_changed,
  'users.disabled': m.people_did_user_disabled,
  'users.enabled': m.people_did_user_enabled,
  'users.sessions_ended': m.people_did_user_sessions_ended,
  'users.password_reset_forced': m.people_did_user_password_reset_forced,
  'users.second_factor_removed': m.people_did_user_second_factor_removed,
  'users.data_exported': m.people_did_user_data_exported,
  'users.account_deleted': m.people_did_user_account_deleted,
  'users.unproved_deleted': m.people_did_user_unproved_deleted,
  'exchange.claim': m.people_did_exchange_claim,
  'exchange.release': m.people_did_exchange_release,
  'exchange.approve': m.people_did_exchange_approve,
  'exchange.reject': m.people_did_exchange_reject,
  'exchange.complete': m.people_did_exchange_complete,
  'exchange.note': m.people_did_exchange_note,
  'currency.created': m.people_did_currency_created,
  'currency.updated': m.people_did_currency_updated,
  'pair.created': m.people_did_pair_created,
  'pair.updated': m.people_did_pair_updated,
  'pair.rate_set': m.people_did_pair_rate_set,
  'pending_change.waits': m.people_did_pending_change_waits,
  'pending_change.confirmed': m.people_did_pending_change_confirmed,
  'pending_change.effective': m.people_did_pending_change_effective,
  'pending_change.objected': m.people_did_pending_change_objected,
  'pending_change.lapsed': m.people_did_pending_change_lapsed,
  'reserve.adjusted': m.people_did_reserve_adjusted,
  'legal_pages.created': m.people_did_legal_page_created,
  'legal_pages.updated': m.people_did_legal_page_updated,
  'legal_pages.published': m.people_did_legal_page_published,
  'legal_pages.withdrawn': m.people_did_legal_page_withdrawn,
  'legal_pages.moved': m.people_did_legal_page_moved,
  'legal_pages.ordered': m.people_did_legal_page_ordered,
  'legal_pages.restored': m.people_did_legal_page_restored,
  'legal_pages.deleted': m.people_did_legal_page_deleted,
  'contact.sorted': m.people_did_contact_sorted,
  'contact.answered': m.people_did_contact_answered,
  'contact.noted': m.people_did_contact_noted,
  'contact.deleted': m.people_did_contact_deleted,
  'customer.noted': m.people_did_customer_noted,
  'exchange.list_exported': m.people_did_exchanges_exported,
  'newsletter.exported': m.people_did_newsletter_exported,
  'newsletter.subscriber_deleted': m.people_did_newsletter_deleted,
  'newsletter.imported': m.people_did_newsletter_imported,
  'campaign.created': m.people_did_campaign_created,
  'campaign.deleted': m.people_did_campaign_deleted,
  'campaign.tested': m.people_did_campaign_tested,
  'campaign.scheduled': m.people_did_campaign_scheduled,
  'campaign.unscheduled': m.people_did_campaign_unscheduled,
  'campaign.started': m.people_did_campaign_started,
  'campaign.stopped': m.people_did_campaign_stopped,
  'campaign.resumed': m.people_did_campaign_resumed,
  'feature_report.updated': m.people_did_feature_report_updated,
  'feature_report.deleted': m.people_did_feature_report_deleted,
  'blog.created': m.people_did_blog_created,
  'blog.published': m.people_did_blog_published,
  'blog.scripts_published': m.people_did_blog_scripts_published,
  'blog.unpublished': m.people_did_blog_unpublished,
  'blog.restored': m.people_did_blog_restored,
  'blog.deleted': m.people_did_blog_deleted,
  'media.added': m.people_did_media_added,
  'media.updated': m.people_did_media_updated,
  'media.deleted': m.people_did_media_deleted,
  'settings.written': m.people_did_settings_written,
  'settings.secret_written': m.people_did_settings_secret_written,
  'settings.secret_removed': m.people_did_settings_secret_removed,
  'email.retried': m.people_did_email_retried,
  'email.retried_all': m.people_did_email_retried_all,
  'email.tested': m.people_did_email_tested,
  'rate.accepted': m.people_did_rate_accepted,
  'rate.rejected': m.people_did_rate_rejected,
  'rates.run': m.people_did_rates_run,
  'rates.provider_tested': m.people_did_rates_tested,
  'task.run': m.people_did_task_run,
};

/** The words know neither: whoever is called Admin must not read like the service's own words. */
export function sentenceOf({ action }: Pick<AuditEvent, 'action'>): Part[] {
  const text =
    sentences[action]?.({ name, subject }) ?? `${name}: ${action.replace(/[._]+/g, ' ')}`;
  return text
    .split(/([\u0001\u0002])/)
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
