/** The problems that the console's first page names, each with the page that solves it. */
import type { MailStatus } from '@cambist/contract/email';
import type { Pair } from '@cambist/contract/pairs';
import type { RatesOverview } from '@cambist/contract/rates';
import type { Reconciliation, Reserve } from '@cambist/contract/reserves';
import type { ScheduledTask } from '@cambist/contract/tasks';
import { m } from '#lib/paraglide/messages.js';
import { failedTasks } from './tasks/run-state.ts';

export interface Place {
  readonly href: string;
  readonly label: string;
}

export interface Problem extends Place {
  readonly tone: 'waiting' | 'refused';
  readonly text: string;
}

export const places = {
  rates: () => ({ href: '/admin/rates', label: m.sync_title() }),
  pairs: () => ({ href: '/admin/pairs', label: m.admin_nav_pairs() }),
  reserves: () => ({ href: '/admin/reserves', label: m.admin_nav_reserves() }),
  pending: () => ({ href: '/admin/pending-changes', label: m.admin_pending() }),
  mail: () => ({ href: '/admin/mail', label: m.mail_title() }),
  tasks: () => ({ href: '/admin/tasks', label: m.sync_tasks_title() }),
} satisfies Record<string, () => Place>;

/** The worst problem with the rates, and the rates that wait for a decision. */
export function rateProblems(overview: RatesOverview): Problem[] {
  const { quarantine_waiting: count } = overview;
  const place = { href: '/admin/rates#quarantine', label: m.sync_today_decide() };
  const worst = overview.enabled ? worstOfRates(overview) : null;
  return [
    ...some(place, 'waiting', count, m.sync_today_quarantine),
    ...(worst ? [{ ...places.rates(), ...worst }] : []),
  ];
}

function worstOfRates(overview: RatesOverview): Pick<Problem, 'tone' | 'text'> | null {
  const { rates, missing, last_run } = overview;
  const countOf = (state: string) => rates.filter((rate) => rate.state === state).length;
  const [stale, delayed] = [countOf('stale'), countOf('delayed')];
  if (stale > 0) return { tone: 'refused', text: m.sync_today_stale({ count: stale }) };
  if (last_run?.outcome === 'failed') return { tone: 'refused', text: m.sync_today_failed() };
  if (last_run?.outcome === 'skipped') return { tone: 'waiting', text: m.sync_today_skipped() };
  if (missing.length > 0)
    return { tone: 'waiting', text: m.sync_today_missing({ units: missing.join(', ') }) };
  if (delayed > 0) return { tone: 'waiting', text: m.sync_today_delayed({ count: delayed }) };
  return rates.length === 0 ? { tone: 'waiting', text: m.sync_today_none() } : null;
}

/** The worst problem with the pairs on sale, and exchanges in a circle that gain money. */
export function pairProblems({
  pairs,
  roundTrips,
}: {
  readonly pairs: readonly Pick<Pair, 'active' | 'rate' | 'state'>[];
  readonly roundTrips: readonly unknown[];
}): Problem[] {
  const active = pairs.filter((pair) => pair.active);
  const countOf = (wanted: string) =>
    active.filter(({ rate, state }) => (rate === null ? 'unpriced' : state) === wanted).length;
  const [stale, halted, unpriced] = [countOf('stale'), countOf('paused'), countOf('unpriced')];
  const { length: trips } = roundTrips;
  const worst =
    stale > 0
      ? some(places.pairs(), 'refused', stale, m.sync_today_pairs_stale)
      : // The rate is outside of what the pair allows.
        some(places.pairs(), 'waiting', halted, m.sync_today_pairs_halted);
  return [
    ...some(places.pairs(), 'refused', trips, m.pairs_today_trips),
    ...(worst.length > 0
      ? worst
      : some(places.pairs(), 'waiting', unpriced, m.admin_today_unpriced)),
  ];
}

export function reserveProblems({ differences }: Reconciliation): Problem[] {
  return some(places.reserves(), 'refused', differences.length, m.admin_ledger_differs);
}

export function lowReserveProblems(reserves: readonly Pick<Reserve, 'is_low'>[]): Problem[] {
  const count = reserves.filter(({ is_low }) => is_low).length;
  return some(places.reserves(), 'waiting', count, m.admin_today_low_reserves);
}

export function pendingProblems({ length }: readonly unknown[]): Problem[] {
  const place = { ...places.pending(), label: m.sync_today_decide() };
  return some(place, 'waiting', length, m.admin_today_pending);
}

export function mailProblems({
  transport,
  retryable,
}: Pick<MailStatus, 'transport' | 'retryable'>): Problem[] {
  if (transport === 'none')
    return [{ ...places.mail(), tone: 'refused', text: m.mail_stopped_title() }];
  const place = { ...places.mail(), href: '/admin/mail?state=failed' };
  return some(place, 'refused', retryable, m.mail_failed_title);
}

export function taskProblems(tasks: readonly ScheduledTask[]): Problem[] {
  const { length } = failedTasks(tasks, Date.now());
  return some(places.tasks(), 'refused', length, m.sync_today_tasks_failed);
}

/** The problem that there are so many of something; none of nothing. */
function some(
  place: Place,
  tone: Problem['tone'],
  count: number,
  text: (of: { count: number }) => string,
): Problem[] {
  return count > 0 ? [{ ...place, tone, text: text({ count }) }] : [];
}
