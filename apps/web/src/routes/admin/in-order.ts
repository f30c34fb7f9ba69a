/** What the first page of the console says of each part: the gravest thing, in one line. */
import type { MailStatus } from '@cambist/contract/email';
import type { RatesOverview } from '@cambist/contract/rates';
import type { Reconciliation } from '@cambist/contract/reserves';
import { m } from '#lib/paraglide/messages.js';

export interface Item {
  readonly tone: 'done' | 'waiting' | 'refused';
  readonly text: string;
  /** A moment that belongs behind the text, ISO 8601. */
  readonly at?: string;
  readonly href: string;
  readonly label: string;
}

export interface PairsStanding {
  readonly live: number;
  /** On offer, but closed for now, or delayed. */
  readonly others: number;
  /** Switched off by an admin. */
  readonly paused: number;
  readonly unpriced: number;
  /** Without new quotes, since the rate is too old. */
  readonly stale: number;
  /** Priced, but outside of what the pair allows. */
  readonly halted: number;
}

export interface RatesStanding {
  readonly enabled: boolean;
  readonly missing: readonly string[];
  readonly quarantine_waiting: number;
  /** Those of which prices are made. */
  readonly live: number;
  readonly delayed: number;
  readonly stale: number;
  /** Of the last run. */
  readonly outcome: string | null;
}

/** Customers who gain by going round are nothing to wait with. */
export function tripsItem(count: number): Item[] {
  const place = { href: '/admin/pairs', label: m.admin_nav_pairs() };
  return count > 0 ? [{ ...place, tone: 'refused', text: m.pairs_today_trips({ count }) }] : [];
}

export function pairsItem(pairs: PairsStanding): Item {
  const { live, others, paused, unpriced, stale, halted } = pairs;
  const place = { href: '/admin/pairs', label: m.admin_nav_pairs() };
  if (stale > 0)
    return { ...place, tone: 'refused', text: m.sync_today_pairs_stale({ count: stale }) };
  if (halted > 0)
    return { ...place, tone: 'waiting', text: m.sync_today_pairs_halted({ count: halted }) };
  if (unpriced > 0)
    return { ...place, tone: 'waiting', text: m.admin_today_unpriced({ count: unpriced }) };
  const liveText = m.admin_today_live({ count: live });
  const rest = others > 0 ? m.pairs_today_others({ live: liveText, count: others }) : liveText;
  // What is off sale may be meant, or be forgotten: it is named in any case.
  const text = paused > 0 ? m.pairs_today_paused({ others: rest, count: paused }) : rest;
  return { ...place, tone: 'done', text };
}

/** A rate that waits for a decision is live by its age, but pairs give no quotes with it. */
export function ratesStanding(overview: RatesOverview): RatesStanding {
  const { enabled, rates, missing, quarantine_waiting, last_run } = overview;
  const of = (state: string) => rates.filter((rate) => rate.state === state);
  return {
    enabled,
    missing,
    quarantine_waiting,
    live: of('live').filter(({ awaits }) => awaits.length === 0).length,
    delayed: of('delayed').length,
    stale: of('stale').length,
    outcome: last_run?.outcome ?? null,
  };
}

/** Decisions that wait stand by themselves: they are work, whatever else there is to say. */
export function rateItems(rates: RatesStanding | null): Item[] {
  const count = rates?.quarantine_waiting ?? 0;
  const text = m.sync_today_quarantine({ count });
  const href = '/admin/rates#quarantine';
  const decide: Item = { tone: 'waiting', text, href, label: m.sync_today_decide() };
  const item = ratesItem(rates);
  return [...(count > 0 ? [decide] : []), ...(item === null ? [] : [item])];
}

/** Null where all there is to say of them is that they wait. */
function ratesItem(rates: RatesStanding | null): Item | null {
  const place = { href: '/admin/rates', label: m.sync_title() };
  if (rates === null) return { ...place, tone: 'refused', text: m.sync_today_unknown() };
  const { enabled, missing, quarantine_waiting: waiting, live, delayed, stale, outcome } = rates;
  if (!enabled) return { ...place, tone: 'done', text: m.sync_today_manual() };
  if (stale > 0) return { ...place, tone: 'refused', text: m.sync_today_stale({ count: stale }) };
  if (outcome === 'failed') return { ...place, tone: 'refused', text: m.sync_today_failed() };
  if (outcome === 'skipped') return { ...place, tone: 'waiting', text: m.sync_today_skipped() };
  if (missing.length > 0) {
    const units = missing.join(', ');
    return { ...place, tone: 'waiting', text: m.sync_today_missing({ units }) };
  }
  if (delayed > 0)
    return { ...place, tone: 'waiting', text: m.sync_today_delayed({ count: delayed }) };
  if (live === 0)
    return waiting > 0 ? null : { ...place, tone: 'waiting', text: m.sync_today_none() };
  const text = waiting > 0 ? m.sync_today_live_some : m.sync_today_live;
  return { ...place, tone: 'done', text: text({ count: live }) };
}

export function reservesItem(found: Reconciliation | null): Item {
  const place = { href: '/admin/reserves', label: m.admin_nav_reserves() };
  if (found === null) return { ...place, tone: 'refused', text: m.admin_reconciliation_unknown() };
  if (found.balanced)
    return { ...place, tone: 'done', text: m.admin_ledger_reconciled(), at: found.at };
  const count = found.differences.length;
  return { ...place, tone: 'refused', text: m.admin_ledger_differs({ count }) };
}

export function mailItem(
  mail: Pick<MailStatus, 'retryable' | 'waiting' | 'transport'> | null,
): Item {
  const place = { href: '/admin/mail', label: m.mail_title() };
  if (mail === null) return { ...place, tone: 'refused', text: m.mail_today_unknown() };
  if (mail.transport === 'none') return { ...place, tone: 'refused', text: m.mail_stopped_title() };
  if (mail.retryable > 0) {
    const href = '/admin/mail?state=failed';
    const text = m.mail_failed_title({ count: mail.retryable });
    return { ...place, href, tone: 'refused', text };
  }
  const { waiting: count } = mail;
  const text = count > 0 ? m.mail_today_waiting({ count }) : m.mail_today_fine();
  return { ...place, tone: 'done', text };
}

export function tasksItem(failed: number | null): Item {
  const place = { href: '/admin/tasks', label: m.sync_tasks_title() };
  if (failed === null) return { ...place, tone: 'refused', text: m.sync_today_tasks_unknown() };
  return failed > 0
    ? { ...place, tone: 'refused', text: m.sync_today_tasks_failed({ count: failed }) }
    : { ...place, tone: 'done', text: m.sync_today_tasks_fine() };
}
