/** The newsletter's own emails. Pure. The first goes to an address that anyone may have typed. */
import type { EmailContent } from '#features/email/email.ts';
import type { Id } from '#kernel/id.ts';
import { CAMPAIGN_UNSUBSCRIBE, UNSUBSCRIBE, unsubscribeLink } from './links.ts';

export const emails = {
  confirm: (days: number): EmailContent => ({
    subject: 'Confirm your subscription',
    preview: 'One click, and you get our newsletter. Without it we send nothing.',
    heading: 'Do you want our newsletter?',
    paragraphs: [
      'This address was entered for our newsletter. Confirm that it was you; without that we send nothing.',
    ],
    action: { label: 'Yes, subscribe me', path: '/subscribe/confirm' },
    note: `The link works for ${days} days. If you did not ask for this, ignore this email.`,
  }),

  welcome: (id: Id): EmailContent => ({
    subject: 'You are subscribed',
    preview: 'And one click unsubscribes, whenever you like.',
    heading: 'Thank you',
    paragraphs: [
      'You get our newsletter from now on: now and then, in plain words.',
      'Keep this email: its link unsubscribes you at any time.',
    ],
    link: unsubscribeLink(UNSUBSCRIBE, id),
  }),

  /** `emailId` is the recipient's own, which the unsubscribe link is made of. */
  campaign: (
    {
      subject,
      preview,
      locale,
      body,
    }: {
      readonly subject: string;
      readonly preview: string;
      readonly locale: string | null;
      readonly body: NonNullable<EmailContent['body']>;
    },
    emailId: Id,
  ): EmailContent => ({
    ...(locale === null ? {} : { language: locale }),
    subject,
    preview,
    heading: subject,
    paragraphs: [],
    body,
    link: unsubscribeLink(CAMPAIGN_UNSUBSCRIBE, emailId),
    writtenBy: 'list',
  }),

  /** A campaign's content without the unsubscribe link, which is each recipient's own. */
  test: ({ link: _link, writtenBy: _list, ...content }: EmailContent): EmailContent => ({
    ...content,
    subject: `Test: ${content.subject}`,
    note: 'This is a test email. In the campaign an unsubscribe link stands here.',
  }),
} as const;
