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

/** What stayed, went and came, word by word. */
export function wordDiff(old: string, fresh: string): readonly Part[] {
  return shortened(compared(old, fresh));
}

function compared(old: string, fresh: string): Part[] {
  const changes = diffWordsWithSpace(old, fresh, { timeout: patienceMs }) ?? diffLines(old, fresh);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
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
