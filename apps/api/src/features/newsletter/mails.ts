/** The newsletter's own letters. Pure. The first goes to an address that anybody may have typed. */
import type { LetterContent } from '#features/mail/mail.ts';
import type { Id } from '#kernel/id.ts';
import { endLinkOf, type campaignEndLinkOf } from './links.ts';

export const letters = {
  confirm: (days: number): LetterContent => ({
    subject: 'Confirm that you want our letters',
    preview: 'One press, and you get them. Without it you get none.',
    heading: 'Do you want our letters?',
    paragraphs: [
      'Somebody asked for our newsletter for this address. Confirm that it was you; without that we send nothing.',
    ],
    action: { label: 'Yes, send them', path: '/subscribe/confirm' },
    note: `The link works for ${days} days. If you did not ask, leave this letter be.`,
  }),

  welcome: (id: Id): LetterContent => ({
    subject: 'You get our letters from now on',
    preview: 'And one press ends it, whenever you like.',
    heading: 'Thank you',
    paragraphs: [
      'You get our newsletter from now on: now and then, in plain words.',
      'Keep this letter: its link ends it at any time.',
    ],
    link: { label: 'Get no more of these letters', ...endLinkOf(id) },
  }),

  /** `end` is a link of the same kind that every reader's own takes the place of. */
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
      readonly body: NonNullable<LetterContent['body']>;
    },
    end: ReturnType<typeof campaignEndLinkOf>,
  ): LetterContent => ({
    ...(locale === null ? {} : { language: locale }),
    subject,
    preview,
    heading: subject,
    paragraphs: [],
    body,
    link: { label: 'Get no more of these letters', ...end },
    writtenBy: 'list',
  }),

  /** The campaign's own words, for whoever writes it: the link that ends it is a reader's alone. */
  test: (words: LetterContent): LetterContent => ({
    ...words,
    subject: `Test: ${words.subject}`,
    note: 'This is a test letter. A reader’s has a link here that ends the newsletter.',
  }),
} as const;
