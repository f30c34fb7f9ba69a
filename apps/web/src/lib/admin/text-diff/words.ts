/** A text as the words that are compared. Pure. */
import type { Stretch } from '@cambist/markup/readable';

export interface Word {
  readonly text: string;
  /** How it is set, letter for letter where that changes within it. */
  readonly set: string;
}

/** Of a script that puts no space between words: each is a word with its marks, whatever follows. */
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
const letter = String.raw`(?!${unspaced})[\p{L}\p{M}\p{N}\u{AD}\u{200C}\u{200D}]`;
/** An amount, a day and an address are one word each: signs stand in the midst of it, and apart at its edges. */
const token = new RegExp(
  String.raw`\n|[^\S\n]+|(?:[-+−](?=\p{N}))?(?:${letter})+(?:[-.,:/'’@&=?%#+_]+(?:${letter})+)*|${unspaced}\p{M}*|.`,
  'gsu',
);

/** In their order; those of a plain text are all set alike. */
export function wordsOf(text: string | readonly Stretch[]): readonly Word[] {
  const stretches = typeof text === 'string' ? [{ text, set: '' }] : text;
  const whole = stretches.map((stretch) => stretch.text).join('');
  const settings = settingsFrom(stretches);
  return (whole.match(token) ?? []).map((word) => ({ text: word, set: settings(word.length) }));
}

/** Answers how the next so many characters are set. */
function settingsFrom(stretches: readonly Stretch[]): (length: number) => string {
  let [place, used] = [0, 0];
  return (length) => {
    const found: { set: string; length: number }[] = [];
    for (let left = length; left > 0;) {
      const { text, set } = stretches[place] ?? { text: ' '.repeat(left), set: '' };
      const taken = Math.min(left, text.length - used);
      if (taken > 0) found.push({ set, length: taken });
      left -= taken;
      used += taken;
      if (used >= text.length) [place, used] = [place + 1, 0];
    }
    const [first] = found;
    if (found.length <= 1) return first?.set ?? '';
    return found.map((each) => `${each.set}\n${each.length}`).join('\n');
  };
}
