/** What differs between two texts. Pure. */
import { plain, settingKinds, type SettingKind, type Stretch } from '@cambist/markup/readable';
import { edgeKinds, endsOf, hasStayed, kindsIn, partedIn, type Kind, type Run } from './runs.ts';
import { fullEffort, staysOf, type Effort } from './stays.ts';
import { wordsOf, type Word } from './words.ts';

export interface Part {
  readonly kind: Kind;
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

/** A new line is compared with so many old ones, to find what it was made of. */
const pairReach = 50;
/** As much of what stayed as is shown before and after what changed. */
const contextLength = 120;

/** Of a word that the cut goes through; text without spaces is cut where it comes. */
const tornEnd = /\s+\S{1,40}$/;
const tornStart = /^\S{1,40}\s+/;

export type Text = string | readonly Stretch[];

export interface TextDifference {
  readonly parts: readonly Part[];
  /** In what words that stayed are set anew. */
  readonly kinds: readonly SettingKind[];
}

/** What stayed, went and came, word by word; where little of a paragraph stayed, it as it was, then as it is. */
export function wordDiff(old: string, fresh: string): readonly Part[] {
  return textDiff(old, fresh).parts;
}

/** The same of words that are set in some way. */
export function textDiff(old: Text, fresh: Text, effort = fullEffort()): TextDifference {
  const all = compared(wordsOf(old), wordsOf(fresh), effort);
  const runs = paragraphsOf(all).flatMap((paragraph) => {
    if (!isReplaced(paragraph))
      return isMixed(paragraph) ? lineByLine(paragraph, effort) : paragraph;
    return replaced(oldOf(paragraph), freshOf(paragraph));
  });
  const parts = shortened(joined(blanksUnmarked(runs.map(partOf))));
  // The ends of lines stand among the words as plain ones, however they are set.
  const kinds = [
    ...kindsIn([...runs, ...all.map(endsOf)]),
    ...edgeKinds(old, fresh),
    ...partedIn(all),
  ];
  return { parts, kinds: settingKinds.filter((kind) => kinds.includes(kind)) };
}

/** As it is shown where both sides are told in one. */
function partOf({ kind, old, fresh }: Run): Part {
  return { kind, text: plain(kind === 'removed' ? old : fresh) };
}

function compared(old: readonly Word[], fresh: readonly Word[], effort: Effort): Run[] {
  const texts = [old, fresh].map((words) => words.map(({ text }) => text)) as [string[], string[]];
  let [oldPlace, freshPlace] = [0, 0];
  const end = { old: old.length, fresh: fresh.length, count: 0 };
  return [...staysOf(...texts, effort), end].flatMap((stay): Run[] => {
    const went = old.slice(oldPlace, stay.old);
    const came = fresh.slice(freshPlace, stay.fresh);
    [oldPlace, freshPlace] = [stay.old + stay.count, stay.fresh + stay.count];
    return [
      ...(went.length === 0 ? [] : [{ kind: 'removed', old: went, fresh: [] } as const]),
      ...(came.length === 0 ? [] : [{ kind: 'added', old: [], fresh: came } as const]),
      ...stayed(old.slice(stay.old, oldPlace), fresh.slice(stay.fresh, freshPlace)),
    ];
  });
}

/** By whether they are set as before. */
function stayed(old: readonly Word[], fresh: readonly Word[]): Run[] {
  const runs: { kind: Kind; old: Word[]; fresh: Word[] }[] = [];
  for (const [place, is] of fresh.entries()) {
    const was = old[place] ?? is;
    const kind = was.set === is.set ? 'same' : 'anew';
    const last = runs.at(-1);
    if (last?.kind === kind) {
      last.old.push(was);
      last.fresh.push(is);
    } else runs.push({ kind, old: [was], fresh: [is] });
  }
  return runs;
}

/** Each up to the end of a line that stayed. */
function paragraphsOf(runs: readonly Run[]): Run[][] {
  let paragraph: Run[] = [];
  const all = [paragraph];
  for (const run of runs) {
    for (const line of hasStayed(run) ? linesOfRun(run) : [run]) {
      paragraph.push(line);
      if (!hasStayed(line) || line.fresh.at(-1)?.text !== '\n') continue;
      paragraph = [];
      all.push(paragraph);
    }
  }
  return all;
}

function linesOfRun({ kind, old, fresh }: Run): Run[] {
  const before = linesOf(old);
  return linesOf(fresh).map((line, index) => ({ kind, old: before[index] ?? [], fresh: line }));
}

/** Old and new words in turn are read by nobody where of the shorter text less than half the letters stayed. */
function isReplaced(paragraph: readonly Run[]): boolean {
  const letters = (kind: Kind) =>
    lettersOf(paragraph.flatMap((run) => (run.kind === kind ? partWords(run) : [])));
  return letters('same') + letters('anew') < Math.min(letters('removed'), letters('added'));
}

const partWords = ({ kind, old, fresh }: Run) => (kind === 'removed' ? old : fresh);

function lettersOf(words: readonly Word[]): number {
  // An amount or an address is long and changes as a whole, while the sentence around it is the same.
  return words
    .map(({ text }) => (/\p{N}|.[@/]./u.test(text) ? '1' : text.replaceAll(/\P{L}/gu, '')))
    .join('').length;
}

/** What came would stand in the middle of a line that went, or the other way round. */
function isMixed(paragraph: readonly Run[]): boolean {
  const textOf = (kind: Kind) =>
    paragraph.flatMap((run) => (run.kind === kind ? [plain(partWords(run))] : [])).join('');
  const [went, came] = [textOf('removed'), textOf('added')];
  return went.trim() !== '' && came.trim() !== '' && (went + came).includes('\n');
}

/** Each new line beside the old one that it was made of, in their order. */
function lineByLine(paragraph: readonly Run[], effort: Effort): Run[] {
  const [old, fresh] = [oldOf(paragraph), freshOf(paragraph)].map((words) =>
    linesOf(words).map(counted),
  ) as [Line[], Line[]];
  const between = (was: readonly Line[], is: readonly Line[]) =>
    replaced(
      ...([was, is].map((lines) => lines.flatMap(({ words }) => words)) as [Word[], Word[]]),
    );
  let [oldPlace, freshPlace] = [0, 0];
  const runs = fresh.flatMap((line, index) => {
    const found = pairIn(old.slice(oldPlace, oldPlace + pairReach), line, effort);
    if (found === null) return [];
    const place = oldPlace + found.place;
    const before = between(old.slice(oldPlace, place), fresh.slice(freshPlace, index));
    [oldPlace, freshPlace] = [place + 1, index + 1];
    return [...before, ...found.pair];
  });
  return [...runs, ...between(old.slice(oldPlace), fresh.slice(freshPlace))];
}

interface Line {
  readonly words: readonly Word[];
  /** Of each word how many it has, as often as it stands there. */
  readonly letters: ReadonlyMap<string, number>;
  readonly total: number;
}

function counted(words: readonly Word[]): Line {
  const letters = new Map<string, number>();
  for (const word of words)
    letters.set(word.text, (letters.get(word.text) ?? 0) + lettersOf([word]));
  return { words, letters, total: lettersOf(words) };
}

/** The first of the old lines of which enough stayed in the new one. */
function pairIn(
  old: readonly Line[],
  line: Line,
  effort: Effort,
): { readonly place: number; readonly pair: readonly Run[] } | null {
  for (const [place, was] of old.entries()) {
    if (!canBePair(was, line) || effort.left === 0) continue;
    const pair = pairOf(was.words, line.words, effort);
    const letters = lettersOf(pair.filter(hasStayed).flatMap(partWords));
    if (letters > 0 && !isReplaced(pair)) return { place, pair };
  }
  return null;
}

/** By the words that both have, in whatever order: most lines have nothing to do with each other. */
function canBePair(was: Line, is: Line): boolean {
  let shared = 0;
  for (const [word, letters] of is.letters) shared += Math.min(letters, was.letters.get(word) ?? 0);
  return shared > 0 && shared * 2 >= Math.min(was.total, is.total);
}

function pairOf(was: readonly Word[], line: readonly Word[], effort: Effort): Run[] {
  const [old, fresh] = [was, line].map(withoutEnd) as [readonly Word[], readonly Word[]];
  const hasEnd = old !== was || fresh !== line;
  return [...compared(old, fresh, effort), ...(hasEnd ? [lineEnd] : [])];
}

function withoutEnd(line: readonly Word[]): readonly Word[] {
  return line.at(-1)?.text === '\n' ? line.slice(0, -1) : line;
}

const end: readonly Word[] = [{ text: '\n', set: '' }];
const lineEnd: Run = { kind: 'same', old: end, fresh: end };

function linesOf(words: readonly Word[]): Word[][] {
  const lines: Word[][] = [];
  for (const [place, word] of words.entries()) {
    if (place === 0 || words[place - 1]?.text === '\n') lines.push([word]);
    else lines.at(-1)?.push(word);
  }
  return lines;
}

/** All that went, then all that came; each on lines of its own where there are several. */
function replaced(old: readonly Word[], fresh: readonly Word[]): Run[] {
  const isParted =
    old.length === 0 ||
    old.at(-1)?.text === '\n' ||
    ![...old, ...fresh].some(({ text }) => text === '\n');
  const between = isParted || fresh.length === 0 ? [] : [lineEnd];
  return [...marked('removed', old), ...between, ...marked('added', fresh)];
}

/** The end of its line marks neither. */
function marked(kind: 'added' | 'removed', words: readonly Word[]): Run[] {
  if (words.length === 0) return [];
  const inner = withoutEnd(words);
  const run = kind === 'added' ? { kind, old: [], fresh: inner } : { kind, old: inner, fresh: [] };
  return inner === words ? [run] : [run, lineEnd];
}

const oldOf = (paragraph: readonly Run[]) => paragraph.flatMap(({ old }) => old);
const freshOf = (paragraph: readonly Run[]) => paragraph.flatMap(({ fresh }) => fresh);

/** A blank in the place of a line's end, or the other way round: that the line ends or does not is the change. */
function blanksUnmarked(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, index) => {
    const isMarked = part.kind === 'added' || part.kind === 'removed';
    if (!isMarked || !/^[^\S\n]+$/.test(part.text)) return [part];
    const other = parts[part.kind === 'removed' ? index + 1 : index - 1];
    if (other?.kind !== (part.kind === 'removed' ? 'added' : 'removed')) return [part];
    if (breaksOf(other.text) === 0) return [part];
    return part.kind === 'added' ? [{ kind: 'same', text: part.text }] : [];
  });
}

/** What stayed together is one stretch again; blanks between words that are set anew go with them. */
function joined(parts: readonly Part[]): Part[] {
  const all: { kind: Kind; text: string }[] = [];
  for (const [index, { kind: own, text }] of parts.entries()) {
    const last = all.at(-1);
    const isBetween =
      last?.kind === 'anew' &&
      parts[index + 1]?.kind === 'anew' &&
      own === 'same' &&
      /^[^\S\n]+$/.test(text);
    const kind = isBetween ? 'anew' : own;
    if (last?.kind === kind && (kind === 'same' || kind === 'anew')) last.text += text;
    else all.push({ kind, text });
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
