/** The letter of the post itself. Pure. */
import type { LetterContent } from './letter.ts';

/** Not through the outbox, so whoever reads it knows that the server works. */
export function testLetter(siteName: string): LetterContent {
  return {
    subject: `A test letter from ${siteName}`,
    preview: 'Letters from this desk arrive.',
    heading: 'Letters arrive',
    paragraphs: [
      `An admin of ${siteName} sent this letter to see whether the mail server takes letters. It does.`,
      'Nothing needs to be done.',
    ],
  };
}
