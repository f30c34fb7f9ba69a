/** What differs between two lists, item by item: one that was moved is compared with itself. Pure. */
import { diffLines } from 'diff';
import { wordDiff, type Part } from './word-diff.ts';

export interface Item {
  /** What it is called by; empty where nothing names it. */
  readonly name: string;
  /** Each of its fields on a line. */
  readonly text: string;
}

/** As much is shown of a line that stayed. */
const unchangedLength = 120;
/** Where a line begins, and what its field is called by, which is short: a text may have a colon anywhere. */
const head = /^ *(?:[^:]{1,60}:(?= ))?/;

/** The new list in its order, each item under its number and the one that it had, with what is gone where it stood. */
export function listDiff(old: readonly Item[], fresh: readonly Item[]): readonly Part[] {
  const places = placesOf(old, fresh);
  const gone = (first: number): Part[] => {
    const item = old[first];
    if (item === undefined || places.includes(first)) return [];
    return [{ kind: 'removed', text: written(first, item.text) }, ...gone(first + 1)];
  };
  const stood = fresh.flatMap((item, index): Part[] => {
    const place = places[index];
    const before = place === undefined ? undefined : old[place];
    if (place === undefined || before === undefined)
      return [{ kind: 'added', text: written(index, item.text) }];
    return [...numberParts(place, index), ...itemParts(before.text, item.text), ...gone(place + 1)];
  });
  return [...gone(0), ...stood];
}

/** Where each of the new items stood: the same one, else one of its name, else one that is half the same. */
function placesOf(old: readonly Item[], fresh: readonly Item[]): (number | undefined)[] {
  const places: (number | undefined)[] = fresh.map(() => undefined);
  const rules = [
    (one: Item, other: Item) => one.text === other.text,
    (one: Item, other: Item) => one.name !== '' && one.name === other.name,
    isHalfSame,
  ];
  for (const isSame of rules) {
    for (const [index, item] of fresh.entries()) {
      if (places[index] !== undefined) continue;
      const found = old.findIndex((each, place) => !places.includes(place) && isSame(each, item));
      if (found !== -1) places[index] = found;
    }
  }
  return places;
}

function isHalfSame(one: Item, other: Item): boolean {
  const lines = new Set(one.text.split('\n'));
  const shared = other.text.split('\n').filter((line) => lines.has(line));
  return shared.join('\n').length * 2 >= Math.max(one.text.length, other.text.length, 1);
}

function numberParts(place: number, index: number): Part[] {
  if (place === index) return [{ kind: 'same', text: `${index + 1}. ` }];
  return [
    { kind: 'removed', text: `${place + 1}` },
    { kind: 'added', text: `${index + 1}` },
    { kind: 'same', text: '. ' },
  ];
}

/** Field with field, by words; where one has more lines than before, by lines. */
function itemParts(old: string, fresh: string): readonly Part[] {
  const [before, after] = [linesOf(old), linesOf(fresh)];
  if (before.length !== after.length) {
    return diffLines(before.join(''), after.join('')).map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }));
  }
  return after.flatMap((line, index): readonly Part[] => {
    const was = before[index] ?? '';
    return line === was ? [{ kind: 'same', text: cut(line) }] : lineParts(was, line);
  });
}

/** The value alone by words: of what stayed before and after a change, only what is near is shown. */
function lineParts(was: string, line: string): readonly Part[] {
  const [found = ''] = head.exec(line) ?? [];
  const start = was.startsWith(found) ? found : '';
  const valueOf = (whole: string) => whole.slice(start.length, -1);
  return [
    { kind: 'same', text: start },
    // The line of its own where words are left out stands below the others.
    ...wordDiff(valueOf(was), valueOf(line)).map(({ kind, text }) => ({
      kind,
      text: text.replaceAll('\n', '\n   '),
    })),
    { kind: 'same', text: '\n' },
  ];
}

function cut(line: string): string {
  if (line.length <= unchangedLength) return line;
  return `${line.slice(0, unchangedLength).replace(/\s+\S{0,40}$/, '')} …\n`;
}

function written(index: number, text: string): string {
  return `${index + 1}. ${linesOf(text).join('')}`;
}

/** With those after the first below each other, to the right of the number. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line, index) => `${index === 0 ? '' : '   '}${line}\n`);
}
