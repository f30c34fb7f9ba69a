/** Pure: the words of quotations, written in one way where a paragraph around them is not seen. */
import { directionOf, fromTheRight } from './direction.ts';
import { withoutNames } from './entities.ts';

/** One that holds words alone. */
const bare = new RegExp(
  '<blockquote>([^<]*(?:</?(?:a|strong|em|s|u|mark|sub|sup|code|kbd|br)(?:[ /][^<>]*)?>[^<]*)*)</blockquote>',
  'g',
);
const codes = /<(code|kbd)>[\s\S]*?<\/\1>/g;

/**
 * With a paragraph around all that a quotation holds, as the editor has it. Beside other blocks one would
 * stand apart from them, and where words run from the right it goes by its own first letter in each line.
 */
export function withQuotedParagraphs(html: string): string {
  const mayTurn = fromTheRight.test(html);
  return html.replace(bare, (quotation, words: string) => {
    if (words.trim() === '' || (mayTurn && !isTurnedAlike(words))) return quotation;
    return `<blockquote><p>${words}</p></blockquote>`;
  });
}

/** Whether the first letter of all is that of each line; code says nothing of what it stands in. */
function isTurnedAlike(words: string): boolean {
  const written = words.replace(codes, ' ').replace(/<(?!br)[^<>]*>/g, '');
  return !written.includes('<br') && directionOf(withoutNames(written)) !== undefined;
}
