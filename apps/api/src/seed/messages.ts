/**
 * What people wrote to the demo desk, through the same doors as on the site:
 * messages in every state, one of them a machine's, and reports of what is missing.
 */
import type { ContactTopic, MessageState } from '@cambist/contract/contact';
import type { ReportState } from '@cambist/contract/feature-reports';
import { HOUR } from '#kernel/clock.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Id } from '#kernel/id.ts';
import * as contact from '#features/contact/contact.ts';
import * as reports from '#features/feature-reports/feature-reports.ts';
import type { Deps } from '#platform/deps.ts';

interface DemoMessage {
  readonly hoursAgo: number;
  readonly name: string;
  readonly email: string;
  readonly topic: ContactTopic;
  readonly message: string;
  readonly website?: string;
  readonly entries?: readonly { readonly kind: 'note' | 'reply'; readonly body: string }[];
  readonly state?: MessageState;
}

/** The oldest first, as they came. */
const MESSAGES: readonly DemoMessage[] = [
  {
    hoursAgo: 150,
    name: 'Sofia Raptis',
    email: 'sofia.raptis@example.com',
    topic: 'account',
    message:
      'I have a new telephone and no longer have the app that makes my codes. I do have the recovery codes on paper. Can I use one of them to set up the new phone, or do I have to prove who I am again?',
    entries: [
      {
        kind: 'reply',
        body: 'Dear Sofia,\n\nyes, one of the codes on paper is enough: sign in with it, and on your account’s page choose “Second step” to add the new phone. The code you used is spent afterwards, so make new ones there as well.\n\nInes, at the desk',
      },
    ],
    state: 'closed',
  },
  {
    hoursAgo: 97,
    name: 'Best Prices SEO Team',
    email: 'offers@ranking.example',
    topic: 'other',
    message:
      'Dear webmaster, we bring your site to the first page in 14 days. Reply YES for a quote.',
    website: 'https://ranking.example',
  },
  {
    hoursAgo: 52,
    name: 'Marta Lindholm',
    email: 'marta.lindholm@example.org',
    topic: 'press',
    message:
      'I am writing for a consumer magazine about what a change of money really costs. May I quote the worked example on your first page, and is there somebody who could explain how your margin is set?',
    entries: [
      { kind: 'note', body: 'She may quote it, it is public. Asked Ines who should speak to her.' },
    ],
  },
  {
    hoursAgo: 26,
    name: 'Kwame Owusu',
    email: 'kwame.owusu@example.com',
    topic: 'exchange',
    message:
      'My bank says that the transfer left on Friday, but the exchange still waits for the payment. I have uploaded the receipt. Is there anything that I have to do?',
    entries: [
      { kind: 'note', body: 'Sent on Friday after the bank’s cut-off, so it books on Monday.' },
      {
        kind: 'reply',
        body: 'Dear Kwame,\n\nthere is nothing to do. Your bank took the order after its closing time on Friday, so it should book on Monday morning. We look again at ten and go on from there.\n\nInes, at the desk',
      },
    ],
  },
  {
    hoursAgo: 5,
    name: 'Jun Takahashi',
    email: 'jun.takahashi@example.com',
    topic: 'rates',
    message:
      'I would like to exchange dollars to yen once a month for a year, always on the first working day. Is there a way to fix the margin for the year, or a better tier for regular amounts?',
  },
  {
    hoursAgo: 1.2,
    name: 'Beatrix van Dijk',
    email: 'beatrix.vandijk@example.net',
    topic: 'other',
    message:
      'Can I pay from the account of my company and receive the payout on my own? I found nothing about it in the questions.',
  },
];

interface DemoReport {
  readonly hoursAgo: number;
  readonly title: string;
  readonly description: string;
  readonly page: string;
  readonly state?: ReportState;
  readonly note?: string;
}

const REPORTS: readonly DemoReport[] = [
  {
    hoursAgo: 120,
    title: 'Show the rate of yesterday beside that of today',
    description:
      'In the list of rates I see how much a rate moved, but I would like to see from what. The figure of the day before would be enough.',
    page: '/rates',
    state: 'planned',
    note: 'The figure is in the history already; it is a question of room on a phone.',
  },
  {
    hoursAgo: 44,
    title: 'The receipt prints on two pages',
    description:
      'Printing the page of a finished exchange gives a second page with one line on it. I use A4 and Firefox.',
    page: '/exchanges',
  },
  {
    hoursAgo: 8,
    title: 'A calendar for the alerts',
    description:
      'I set an alert for a holiday in summer. It would help to say until when it should wait, so that it stops by itself.',
    page: '/account/alerts',
  },
];

type Quiet = Deps & { readonly silent: true };

/** Writes them as of their hours; `operator` is who answered. */
export async function seedMessages(
  deps: Deps,
  { id, name }: { readonly id: Id; readonly name: string },
): Promise<void> {
  const operator: Actor = { id, name, role: 'admin', permissions: ['content'] };
  const at = (hoursAgo: number): Quiet => {
    const then = new Date(deps.clock().getTime() - hoursAgo * HOUR);
    return { ...deps, clock: () => then, silent: true };
  };
  for (const { hoursAgo, entries = [], state, ...typed } of MESSAGES) {
    await contact.receive(at(hoursAgo), typed);
    if (entries.length > 0 || state) await work(at(hoursAgo - 1), operator, { entries, state });
  }
  for (const { hoursAgo, state, note, ...typed } of REPORTS) {
    await reports.receive(at(hoursAgo), typed);
    if (!state || !note) continue;
    const [newest] = (await reports.list(deps.db, { per_page: 1 })).data;
    if (newest) {
      const change = { version: newest.version, state, note };
      await reports.update(deps, operator, null, newest.id, change);
    }
  }
}

/** What the operator did with the message that came last. */
async function work(
  deps: Quiet,
  operator: Actor,
  { entries, state }: Required<Pick<DemoMessage, 'entries'>> & { state: MessageState | undefined },
): Promise<void> {
  const [newest] = (await contact.list(deps.db, { per_page: 1 })).data;
  if (newest === undefined) throw new Error('No message has arrived.');
  const { id } = newest;
  let { version } = await contact.get(deps.db, id);
  for (const entry of entries) {
    ({ version } = await contact.addEntry(deps, operator, null, id, { version, ...entry }));
  }
  if (state) await contact.update(deps, operator, null, id, { version, state });
}
