/** Scheduled tasks in words. One of a later feature is called by its own name. */
import { m } from '#lib/paraglide/messages.js';

interface TaskWords {
  readonly name: () => string;
  readonly text: () => string;
}

const known: Readonly<Record<string, TaskWords>> = {
  'rates-sync': { name: m.sync_task_rates_sync, text: m.sync_task_rates_sync_text },
  'rates-watch': { name: m.sync_task_rates_watch, text: m.sync_task_rates_watch_text },
  'check-rate-alerts': { name: m.alerts_task, text: m.alerts_task_text },
  'thin-pair-rates': { name: m.sync_task_pair_rates, text: m.sync_task_pair_rates_text },
  'forget-rate-runs': { name: m.sync_task_rate_runs, text: m.sync_task_rate_runs_text },
  'forget-task-runs': { name: m.sync_task_task_runs, text: m.sync_task_task_runs_text },
  'forget-idempotency-keys': {
    name: m.sync_task_idempotency,
    text: m.sync_task_idempotency_text,
  },
  'sessions-purge': { name: m.sync_task_sessions, text: m.sync_task_sessions_text },
  'sign-in-challenges-purge': { name: m.sync_task_challenges, text: m.sync_task_challenges_text },
  'password-requests-purge': { name: m.sync_task_requests, text: m.sync_task_requests_text },
  'delete-unproved-accounts': { name: m.sync_task_unproved, text: m.sync_task_unproved_text },
  'password-resets-purge': { name: m.sync_task_resets, text: m.sync_task_resets_text },
  'provider-journeys-purge': { name: m.sync_task_journeys, text: m.sync_task_journeys_text },
  'sweep-media': { name: m.sync_task_media, text: m.sync_task_media_text },
  'start-due-campaigns': { name: m.sync_task_campaigns, text: m.sync_task_campaigns_text },
  'forget-unconfirmed-subscribers': {
    name: m.sync_task_unconfirmed,
    text: m.sync_task_unconfirmed_text,
  },
  'publish-due-posts': { name: m.sync_task_posts, text: m.sync_task_posts_text },
  'sweep-proofs': { name: m.sync_task_proofs, text: m.sync_task_proofs_text },
  'delete-old-emails': { name: m.sync_task_emails, text: m.sync_task_emails_text },
  'forget-unpaid-proofs': {
    name: m.sync_task_unpaid_proofs,
    text: m.sync_task_unpaid_proofs_text,
  },
  'forget-old-records': { name: m.sync_task_records, text: m.sync_task_records_text },
  'end-overdue-exchanges': { name: m.sync_task_overdue, text: m.sync_task_overdue_text },
  'reconcile-ledger': { name: m.sync_task_ledger, text: m.sync_task_ledger_text },
};

export function taskName(name: string): string {
  const spelled = name.replaceAll('-', ' ');
  return known[name]?.name() ?? spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

/** What it does; null of a task without words. */
export function taskText(name: string): string | null {
  return known[name]?.text() ?? null;
}
