/**
 * The emails about messages. Pure. The first goes to an address that anyone may
 * have typed, so nothing in it is chosen by the sender.
 */
import type { EmailContent } from '#features/email/email.ts';

export const emails = {
  received: (reference: string): EmailContent => ({
    subject: `We have your message (${reference})`,
    preview: 'A person reads it, usually within a working day.',
    heading: 'Your message has arrived',
    paragraphs: [
      'Thank you for writing to us. A person reads your message, and we answer to this address, usually within a working day.',
    ],
    facts: [{ label: 'Reference', value: reference }],
    note: 'If you did not write to us, ignore this email: your address was typed by mistake.',
  }),

  reply: (reference: string, text: string): EmailContent => ({
    subject: `Your message to us (${reference})`,
    preview: text.replace(/\s+/g, ' ').slice(0, 120),
    heading: 'An answer to your message',
    paragraphs: text
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
    facts: [{ label: 'Reference', value: reference }],
    note: 'Answer this email if something is open.',
    answerable: true,
    writtenBy: 'person',
  }),
} as const;
