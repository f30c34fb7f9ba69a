/** A text as the words that are compared. Pure. */
import type { Place, Stretch } from '@cambist/markup/readable';

export interface Word {
  readonly text: string;
  /** How it is set, letter for letter where that changes within it. */
  readonly set: string;
  readonly place?: Place;
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
  return (whole.match(token) ?? []).map((word) => ({ text: word, ...settings(word.length) }));
}

/** Answers how the next so many characters are set, and where they stand. */
function settingsFrom(
  stretches: readonly Stretch[],
): (length: number) => Pick<Word, 'set' | 'place'> {
  let [place, used] = [0, 0];
  return (length) => {
    const found: { set: string; length: number }[] = [];
    let at: Place | undefined;
    for (let left = length; left > 0;) {
      const stretch = stretches[place] ?? { text: ' '.repeat(left), set: '' };
      const { text, set } = stretch;
      const taken = Math.min(left, text.length - used);
      if (taken > 0) found.push({ set, length: taken });
      if (taken > 0) at ??= stretch.place;
      left -= taken;
      used += taken;
      if (used >= text.length) [place, used] = [place + 1, 0];
    }
    const several = () => found.map((each) => `${each.set}\n${each.length}`).join('\n');
    const set = found.length <= 1 ? (found[0]?.set ?? '') : several();
    return { set, ...(at && { place: at }) };
  };
}
