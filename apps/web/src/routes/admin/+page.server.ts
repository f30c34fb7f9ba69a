import { dashboardDays, getDashboard } from '@cambist/contract/dashboard';
import { getMailStatus } from '@cambist/contract/email';
import { listPendingChanges } from '@cambist/contract/pending-changes';
import { listPairs, listRoundTrips } from '@cambist/contract/pairs';
import { getRatesOverview } from '@cambist/contract/rates';
import { listReserves, reconcile } from '@cambist/contract/reserves';
import { listTasks } from '@cambist/contract/tasks';
import { may } from '#lib/console/permissions.ts';
import { m } from '#lib/paraglide/messages.js';
import { orElse } from '#lib/api/or-else.ts';
import type { PageServerLoad } from './$types.js';
import * as problems from './problems.ts';

/** The problems in what this admin may see, and the figures. */
export const load: PageServerLoad = async ({ locals, url }) => {
  const { call, user, wide } = locals;
  const { places } = problems;
  const money = may(user, 'money');
  const settings = may(user, 'settings');
  const period = dashboardDays.find((days) => days === url.searchParams.get('days')) ?? '30';
  const figures = may(user, 'desk')
    ? orElse(call(getDashboard, { query: { days: period } }), null)
    : null;
  const found = await Promise.all([
    money && check(places.pending(), call(listPendingChanges), problems.pendingProblems),
    money && check(places.rates(), call(getRatesOverview), problems.rateProblems),
    money && check(places.pairs(), pairsAndTrips(call), problems.pairProblems),
    money && check(places.reserves(), call(reconcile), problems.reserveProblems),
    money && check(places.reserves(), call(listReserves), problems.lowReserveProblems),
    settings && check(places.mail(), call(getMailStatus), problems.mailProblems),
    settings && check(places.tasks(), call(listTasks), problems.taskProblems),
  ]);
  return {
    period,
    figures: (await figures)?.data ?? null,
    hidden: wide.robots?.noindex ?? false,
    problems: found.flatMap((some) => some || []),
  };
};

async function pairsAndTrips(call: App.Locals['call']) {
  const [pairs, trips] = await Promise.all([call(listPairs), call(listRoundTrips)]);
  return { data: { pairs: pairs.data, roundTrips: trips.data } };
}

/** That one part could not be checked is a problem of its own. */
async function check<T>(
  place: problems.Place,
  question: Promise<{ data: T }>,
  find: (data: T) => problems.Problem[],
): Promise<problems.Problem[]> {
  const answer = await orElse(question, null);
  if (answer !== null) return find(answer.data);
  const text = m.admin_today_unknown({ part: place.label });
  return [{ ...place, tone: 'refused', text }];
}
