/** What of the letters that failed can be tried again, and how. Pure but for the words. */
import type { ReplyOf } from '@cambist/contract/endpoint';
import type { MailStatus, replayLetters } from '@cambist/contract/mail';
import { countFigure } from '#lib/admin/count-figure.ts';
import { m } from '#lib/paraglide/messages.js';

export type Failed = Pick<MailStatus, 'dead' | 'dead_of_campaigns' | 'dead_to_try'>;

/** Undefined where nothing failed. */
export function failedWords({ dead, dead_of_campaigns, dead_to_try }: Failed): string | undefined {
  const words = [
    ...(dead_to_try > 0 ? [m.mail_status_dead_to_try({ count: countFigure(dead_to_try) })] : []),
    // Each of these has its own button in the list, but what has expired.
    ...(dead > dead_to_try
      ? [m.mail_status_dead_left_out({ count: countFigure(dead - dead_to_try) })]
      : []),
    ...(dead_of_campaigns > 0
      ? [m.mail_status_dead_campaigns({ count: countFigure(dead_of_campaigns) })]
      : []),
  ];
  return words.length > 0 ? words.join('; ') : undefined;
}

/** What came of trying all of them again: another tab, or another admin, may have been first. */
export function triedWords({ tried, left }: ReplyOf<typeof replayLetters>['data']): string {
  if (tried === 0) return m.mail_all_done_none();
  return left > 0
    ? m.mail_all_done_left({ count: tried, left })
    : m.mail_all_done({ count: tried });
}
