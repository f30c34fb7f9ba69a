/**
 * The letters about messages. Pure. The first goes to an address that anybody may
 * have typed, so there is no word in it that the sender chose.
 */
import type { LetterContent } from '#features/mail/mail.ts';

export const letters = {
  received: (reference: string): LetterContent => ({
    subject: `We have your message (${reference})`,
    preview: 'A person reads it, usually within a working day.',
    heading: 'Your message has arrived',
    paragraphs: [
      'Thank you for writing to us. A person reads your message, and we answer to this address, usually within a working day.',
    ],
    facts: [{ label: 'Reference', value: reference }],
    note: 'If you did not write to us, leave this letter be: somebody typed your address by mistake.',
  }),

  reply: (reference: string, text: string): LetterContent => ({
    subject: `Your message to us (${reference})`,
    preview: text.replace(/\s+/g, ' ').slice(0, 120),
    heading: 'An answer to your message',
    paragraphs: text
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
    facts: [{ label: 'Reference', value: reference }],
    note: 'Answer this letter if something is open.',
    answerable: true,
    writtenBy: 'person',
  }),
} as const;
