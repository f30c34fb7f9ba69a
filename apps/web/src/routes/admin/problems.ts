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
  const text = m.sync_today_quarantine({ count });
  const href = '/admin/rates#quarantine';
  const decision: Problem = { tone: 'waiting', text, href, label: m.sync_today_decide() };
  const worst = overview.enabled ? worstOfRates(overview) : null;
  return [...(count > 0 ? [decision] : []), ...(worst ? [{ ...places.rates(), ...worst }] : [])];
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
  const problems: Problem[] = [];
  if (roundTrips.length > 0) {
    const text = m.pairs_today_trips({ count: roundTrips.length });
    problems.push({ ...places.pairs(), tone: 'refused', text });
  }
  if (stale > 0) {
    const text = m.sync_today_pairs_stale({ count: stale });
    problems.push({ ...places.pairs(), tone: 'refused', text });
  } else if (halted > 0) {
    // The rate is outside of what the pair allows.
    const text = m.sync_today_pairs_halted({ count: halted });
    problems.push({ ...places.pairs(), tone: 'waiting', text });
  } else if (unpriced > 0) {
    const text = m.admin_today_unpriced({ count: unpriced });
    problems.push({ ...places.pairs(), tone: 'waiting', text });
  }
  return problems;
}

export function reserveProblems({ balanced, differences }: Reconciliation): Problem[] {
  if (balanced) return [];
  const text = m.admin_ledger_differs({ count: differences.length });
  return [{ ...places.reserves(), tone: 'refused', text }];
}

export function lowReserveProblems(reserves: readonly Pick<Reserve, 'is_low'>[]): Problem[] {
  const count = reserves.filter(({ is_low }) => is_low).length;
  if (count === 0) return [];
  return [{ ...places.reserves(), tone: 'waiting', text: m.admin_today_low_reserves({ count }) }];
}

export function pendingProblems(changes: readonly unknown[]): Problem[] {
  const { length: count } = changes;
  if (count === 0) return [];
  const text = m.admin_today_pending({ count });
  return [{ ...places.pending(), tone: 'waiting', text, label: m.sync_today_decide() }];
}

export function mailProblems({
  transport,
  retryable,
}: Pick<MailStatus, 'transport' | 'retryable'>): Problem[] {
  if (transport === 'none')
    return [{ ...places.mail(), tone: 'refused', text: m.mail_stopped_title() }];
  if (retryable === 0) return [];
  const text = m.mail_failed_title({ count: retryable });
  return [{ ...places.mail(), href: '/admin/mail?state=failed', tone: 'refused', text }];
}

export function taskProblems(tasks: readonly ScheduledTask[]): Problem[] {
  const count = failedTasks(tasks, Date.now()).length;
  if (count === 0) return [];
  const text = m.sync_today_tasks_failed({ count });
  return [{ ...places.tasks(), tone: 'refused', text }];
}
