/** What differs between two texts. Pure. */
import { diffArrays, diffLines } from 'diff';

export interface Part {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** How many lines' ends a text is, which nobody would see by themselves; 0 where there is more in it. */
export function breaksOf(text: string): number {
  return text.trim() === '' ? text.split('\n').length - 1 : 0;
}

/** The signs of blanks, of which alone nobody would see how many they are; '' where there is more in it. */
export function blanksOf(text: string): string {
  return /^[^\S\n]+$/.test(text) ? text.replaceAll('\t', '→').replace(/\s/g, '·') : '';
}

/** Beyond this two texts that share little would keep the page busy: lines are compared then. */
const patienceMs = 1_500;
/** As much of what stayed as is shown before and after what changed. */
const contextLength = 120;

/** Of a word that the cut goes through; text without spaces is cut where it comes. */
const tornEnd = /\s+\S{1,40}$/;
const tornStart = /^\S{1,40}\s+/;

/** Of a script that puts no space between words: each is a word with its marks, whatever follows. */
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`;
const letter = String.raw`(?!${unspaced})[\p{L}\p{M}\p{N}\u{AD}\u{200C}\u{200D}]`;
/** An amount, a day and an address are one word each: signs stand in the midst of it, and apart at its edges. */
const token = new RegExp(
  String.raw`\n|[^\S\n]+|(?:[-+−](?=\p{N}))?(?:${letter})+(?:[-.,:/'’@&=?%#+_]+(?:${letter})+)*|${unspaced}\p{M}*|.`,
  'gsu',
);

/** What stayed, went and came, word by word; where little of a paragraph stayed, it as it was, then as it is. */
export function wordDiff(old: string, fresh: string): readonly Part[] {
  const parts = paragraphsOf(compared(old, fresh)).flatMap((paragraph) => {
    if (!isReplaced(paragraph)) return isMixed(paragraph) ? lineByLine(paragraph) : paragraph;
    return replaced(textOf(paragraph, 'same', 'removed'), textOf(paragraph, 'same', 'added'));
  });
  return shortened(joined(blanksUnmarked(parts)));
}

function compared(old: string, fresh: string): Part[] {
  const changes =
    diffArrays(wordsOf(old), wordsOf(fresh), { timeout: patienceMs }) ?? diffLines(old, fresh);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: typeof value === 'string' ? value : value.join(''),
  }));
}

function wordsOf(text: string): string[] {
  return text.match(token) ?? [];
}

/** Each up to the end of a line that stayed. */
function paragraphsOf(parts: readonly Part[]): Part[][] {
  let paragraph: Part[] = [];
  const all = [paragraph];
  for (const { kind, text } of parts) {
    for (const line of kind === 'same' ? linesOf(text) : [text]) {
      paragraph.push({ kind, text: line });
      if (kind !== 'same' || !line.endsWith('\n')) continue;
      paragraph = [];
      all.push(paragraph);
    }
  }
  return all;
}

/** Old and new words in turn are read by nobody where of the shorter text less than half the letters stayed. */
function isReplaced(paragraph: readonly Part[]): boolean {
  return (
    lettersOf(paragraph, 'same') <
    Math.min(lettersOf(paragraph, 'removed'), lettersOf(paragraph, 'added'))
  );
}

function lettersOf(parts: readonly Part[], kind: Part['kind']): number {
  const words = parts.flatMap((part) => (part.kind === kind ? wordsOf(part.text) : []));
  // An amount or an address is long and changes as a whole, while the sentence around it is the same.
  return words
    .map((word) => (/\p{N}|.[@/]./u.test(word) ? '1' : word.replaceAll(/\P{L}/gu, '')))
    .join('').length;
}

/** What came would stand in the middle of a line that went, or the other way round. */
function isMixed(paragraph: readonly Part[]): boolean {
  const [went, came] = [textOf(paragraph, 'removed'), textOf(paragraph, 'added')];
  return went.trim() !== '' && came.trim() !== '' && (went + came).includes('\n');
}

/** Each new line beside the old one that it was made of, in their order. */
function lineByLine(paragraph: readonly Part[]): Part[] {
  let old = linesOf(textOf(paragraph, 'same', 'removed'));
  let fresh = '';
  const parts: Part[] = [];
  for (const line of linesOf(textOf(paragraph, 'same', 'added'))) {
    const pairs = old.map((was) => pairOf(was, line));
    const place = pairs.findIndex((pair) => lettersOf(pair, 'same') > 0 && !isReplaced(pair));
    if (place === -1) fresh += line;
    else {
      parts.push(...replaced(old.slice(0, place).join(''), fresh), ...(pairs[place] ?? []));
      old = old.slice(place + 1);
      fresh = '';
    }
  }
  return [...parts, ...replaced(old.join(''), fresh)];
}

function pairOf(was: string, line: string): Part[] {
  const [old, fresh] = [was, line].map((each) => each.replace('\n', '')) as [string, string];
  const end = old === was && fresh === line ? '' : '\n';
  return [...compared(old, fresh), { kind: 'same', text: end }];
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** All that went, then all that came; each on lines of its own where there are several. */
function replaced(old: string, fresh: string): Part[] {
  const isParted = old === '' || old.endsWith('\n') || !(old + fresh).includes('\n');
  const between: Part[] = isParted || fresh === '' ? [] : [{ kind: 'same', text: '\n' }];
  return [...marked('removed', old), ...between, ...marked('added', fresh)];
}

/** The end of its line marks neither. */
function marked(kind: Part['kind'], text: string): Part[] {
  if (text === '') return [];
  if (!text.endsWith('\n')) return [{ kind, text }];
  return [
    { kind, text: text.slice(0, -1) },
    { kind: 'same', text: '\n' },
  ];
}

function textOf(parts: readonly Part[], ...kinds: Part['kind'][]): string {
  return parts.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : [])).join('');
}

/** A blank in the place of a line's end, or the other way round: that the line ends or does not is the change. */
function blanksUnmarked(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index) => {
    if (part.kind === 'same' || !/^[^\S\n]+$/.test(part.text)) return [part];
    const other = parts[part.kind === 'removed' ? index + 1 : index - 1];
    if (other === undefined || other.kind === 'same' || breaksOf(other.text) === 0) return [part];
    return part.kind === 'added' ? [{ kind: 'same', text: part.text }] : [];
  });
}

/** What stayed together is one stretch again. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.kind === 'same' && part.kind === 'same')
      all.splice(-1, 1, { kind: 'same', text: last.text + part.text });
    else all.push(part);
  }
  return all;
}

/** Of long stretches that stayed the middle is left out: a mark on a line of its own, lest distant words read as one sentence. */
function shortened(parts: readonly Part[]): Part[] {
  return parts.map(({ kind, text }, index) => {
    if (kind !== 'same') return { kind, text };
    const start = index === 0 ? '' : text.slice(0, contextLength).replace(tornEnd, '');
    const end = index === parts.length - 1 ? '' : text.slice(-contextLength).replace(tornStart, '');
    if (text.length <= start.length + end.length + 40) return { kind, text };
    const isMiddle = start !== '' && end !== '';
    return {
      kind,
      text: isMiddle ? `${start.trimEnd()}\n…\n${end.trimStart()}` : `${start} … ${end}`,
    };
  });
}
