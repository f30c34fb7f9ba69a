/** Emails operators, as each has chosen, what waits that is new since their last digest. */
import { Cron } from 'croner';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { lockDigestDue, markDigest, recipientOf } from '#features/auth/users.ts';
import { enqueueEmail, type EmailContent } from '#features/email/email.ts';
import { openContext, type ExchangeContext } from './context.ts';
import { listWork, type Work } from './store/queues.ts';

const NAMES = { to_review: 'To review', to_pay_out: 'To pay out', to_refund: 'To refund' };

/** Some time zones are a quarter of an hour from the full one. */
export function digestTask(deps: Deps): Task {
  return {
    name: 'send-digests',
    cron: '*/15 * * * *',
    run: async (now) => `${await sendDigests(await openContext(deps), now)} sent`,
  };
}

export async function sendDigests(context: ExchangeContext, now: Date): Promise<number> {
  const hourly = new Date(now.getTime() - (now.getTime() % HOUR));
  const daily = lastMorning(now, context.timeZone);
  return transaction(context.db, async (tx) => {
    const due = await lockDigestDue(tx, { hourly, daily });
    if (due.length === 0) return 0;
    const work = await listWork(tx, now);
    let sent = 0;
    for (const user of due) {
      await markDigest(tx, user.id, now);
      if (!work.some(({ newest }) => newest > user.desk_digest_at)) continue;
      const content = digestEmail(work, now);
      const email = { kind: 'desk-digest', to: recipientOf(user), content };
      if (await enqueueEmail(context, tx, email)) sent += 1;
    }
    return sent;
  });
}

/** The last 08:00 in this time zone, also where the clocks changed since. */
export function lastMorning(now: Date, timeZone: string): Date {
  const cron = new Cron('0 8 * * *', { timezone: timeZone, paused: true });
  const [last] = cron.previousRuns(1, new Date(now.getTime() + 1));
  return last ?? now;
}

/** Pure. It names no customer. */
export function digestEmail(work: readonly Work[], now: Date): EmailContent {
  const parts = work.map(({ queue, count }) => `${count} ${NAMES[queue].toLowerCase()}`);
  return {
    subject: `Exchanges that wait: ${parts.join(', ')}`,
    preview: 'Some of it is new since your last digest.',
    heading: 'Work on the desk',
    paragraphs: ['This waits for an operator. Some of it is new since your last digest.'],
    facts: work.map(({ queue, count, oldest }) => ({
      label: NAMES[queue],
      value: `${count}, the oldest for ${age(now.getTime() - oldest.getTime())}`,
    })),
    action: { label: 'Open the exchanges', path: `/admin/exchanges?queue=${work[0]?.queue}` },
    more: { label: 'Change or end this digest', path: '/account#notifications' },
  };
}

/** `3 hours`, rounded down. */
function age(ms: number): string {
  const [unitMs, unit] =
    ms < HOUR ? [MINUTE, 'minute'] : ms < 2 * DAY ? [HOUR, 'hour'] : [DAY, 'day'];
  const count = (ms - (ms % unitMs)) / unitMs;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
