/** What differs between two texts. Pure. */
import { diffLines, diffWordsWithSpace } from 'diff';

export interface Part {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Beyond this two texts that share little would keep the page busy: lines are compared then. */
const patienceMs = 1_500;
/** As much of what stayed as is shown before and after what changed. */
const contextLength = 120;

/** Of a word that the cut goes through; text without spaces is cut where it comes. */
const tornEnd = /\s+\S{1,40}$/;
const tornStart = /^\S{1,40}\s+/;

/** What stayed, went and came, word by word; where little of a paragraph stayed, it as it was, then as it is. */
export function wordDiff(old: string, fresh: string): readonly Part[] {
  const parts = paragraphsOf(compared(old, fresh)).flatMap((paragraph) =>
    isReplaced(paragraph) ? whole(paragraph) : paragraph,
  );
  return shortened(joined(parts));
}

function compared(old: string, fresh: string): Part[] {
  const changes = diffWordsWithSpace(old, fresh, { timeout: patienceMs }) ?? diffLines(old, fresh);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** Each up to the end of a line that stayed. */
function paragraphsOf(parts: readonly Part[]): Part[][] {
  let paragraph: Part[] = [];
  const all = [paragraph];
  for (const { kind, text } of parts) {
    for (const line of kind === 'same' ? text.split(/(?<=\n)/) : [text]) {
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
  const letters = (kind: Part['kind']) =>
    textOf(paragraph, kind).replaceAll(/[^\p{L}\p{N}]/gu, '').length;
  return letters('same') < Math.min(letters('removed'), letters('added'));
}

/** The end of its line marks neither. */
function whole(paragraph: readonly Part[]): Part[] {
  return (['removed', 'added'] as const).flatMap((kind): Part[] => {
    const text = textOf(paragraph, 'same', kind);
    if (!text.endsWith('\n')) return [{ kind, text }];
    return [
      { kind, text: text.slice(0, -1) },
      { kind: 'same', text: '\n' },
    ];
  });
}

function textOf(parts: readonly Part[], ...kinds: Part['kind'][]): string {
  return parts.flatMap(({ kind, text }) => (kinds.includes(kind) ? [text] : [])).join('');
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

/** Long stretches that stayed are cut in their middle. */
function shortened(parts: readonly Part[]): Part[] {
  return parts.map(({ kind, text }, index) => {
    if (kind !== 'same') return { kind, text };
    const start = index === 0 ? '' : text.slice(0, contextLength).replace(tornEnd, '');
    const end = index === parts.length - 1 ? '' : text.slice(-contextLength).replace(tornStart, '');
    const isShort = text.length <= start.length + end.length + 40;
    return { kind, text: isShort ? text : `${start} … ${end}` };
  });
}
