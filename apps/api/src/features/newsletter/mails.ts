/** The newsletter's own letters. Pure. The first goes to an address that anybody may have typed. */
import type { LetterContent } from '#features/mail/mail.ts';
import type { Id } from '#kernel/id.ts';
import { endLinkOf } from './links.ts';

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
} as const;
