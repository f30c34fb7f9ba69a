/** Tells operators once of submissions that none of them has opened for too long. */
import { MINUTE } from '#kernel/clock.ts';
import { spokenTime } from '#kernel/spoken-time.ts';
import { transaction } from '#platform/db/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Task } from '#platform/jobs/scheduler.ts';
import { emailAdminsWith } from '#features/auth/users.ts';
import type { EmailContent } from '#features/email/email.ts';
import { withUnit } from '#features/pairs/limits.ts';
import { openContext, type ExchangeContext } from './context.ts';
import { lockUnseen, markUnseenReported, type Exchange } from './store/exchanges.ts';

/** Bounds the email; the next run reports the rest. */
const MOST = 20;

export function unseenTask(deps: Deps): Task {
  return {
    name: 'report-unseen-submissions',
    cron: '*/5 * * * *',
    run: async () => `${await reportUnseen(await openContext(deps))} reported`,
  };
}

export async function reportUnseen(context: ExchangeContext): Promise<number> {
  const minutes = context.desk.unseen_minutes;
  return transaction(context.db, async (tx) => {
    const now = await context.readTime(tx);
    const unseen = await lockUnseen(tx, new Date(now.getTime() - minutes * MINUTE), MOST);
    if (unseen.length === 0) return 0;
    const content = unseenEmail(unseen, minutes, context.timeZone);
    await emailAdminsWith(context, tx, 'desk', 'unseen-submissions', content);
    await markUnseenReported(
      tx,
      unseen.map(({ id }) => id),
      now,
    );
    return unseen.length;
  });
}

function unseenEmail(unseen: readonly Exchange[], minutes: number, zone: string): EmailContent {
  const [first] = unseen;
  const subject =
    unseen.length === 1
      ? `Nobody has opened the payment of ${first?.number}`
      : `Nobody has opened ${unseen.length} payments`;
  return {
    subject,
    preview: 'A customer waits for an operator.',
    heading: subject,
    paragraphs: [
      `The customer says that the payment is made, and no operator has claimed it for more than ${minutes} minutes.`,
    ],
    facts: unseen.map(({ number, send, send_minor, submitted_at }) => ({
      label: number,
      value: `${withUnit(send_minor, send)}${submitted_at ? `, ${spokenTime(submitted_at, zone)}` : ''}`,
    })),
    action:
      unseen.length === 1
        ? { label: 'Open the exchange', path: `/admin/exchanges/${first?.number}` }
        : { label: 'Open the exchanges', path: '/admin/exchanges' },
    note: 'You get this once for each of these exchanges, as an operator.',
  };
}
