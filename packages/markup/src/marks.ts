/**
 * Words that are marked in several ways at once, in the one way of writing it that stands for all that
 * are drawn alike: a mark around others or within them, parted and begun again, or around nothing. Pure.
 */
import { pieces } from './tags.ts';

interface Mark {
  readonly name: string;
  /** Its opening tag. */
  readonly tag: string;
  /** The same for marks that go on in one another. */
  readonly key: string;
}

/** Words or a picture, with the breaks before them: of these nobody sees in which marks they stand. */
interface Run {
  readonly breaks: string;
  readonly html: string;
  /** From the outermost to the innermost. */
  readonly marks: readonly Mark[];
}

const names = new Set('a strong em s u mark sub sup kbd code'.split(' '));
/** Drawn alike around every other mark and within it. */
const free = new Set(['strong', 'em']);
/** Drawn alike around and within one another. */
const level = new Set(['s', 'u', 'mark']);
/** Boxes: each has an edge of its own where two of them meet, around a break and around nothing. */
const edged = new Set(['code', 'kbd']);
/** What the site's font for code has no letter of: another font may slant it, and ours has none that is slanted. */
const foreign = /[^\t\n\r\f -\u017F\u2013-\u201E\u2026\u20AC\uFDD0-\uFDD3]/;
const link = /^<a [^<>]*href="/;
/** Of those that a browser draws together. */
const blank = /^[ \t\n\r\f]*$/;
/** More than anybody marks a word in; an order would take long to find. */
const deepest = 8;

/**
 * The same HTML with its marks in one order, each for as long as it goes on. As it is where one holds a
 * block or stays open, and where they are nested deeper than eight.
 */
export function inOneOrder(html: string): string {
  let [written, breaks]: [string, string] = ['', ''];
  let runs: Run[] = [];
  let isPre = false;
  let boxes = 0;
  const open: Mark[] = [];
  const add = (words: string) => {
    const isCode = isPre || open.some((mark) => edged.has(mark.name));
    const isUpright = isCode && !foreign.test(words);
    const drawn = isUpright ? open.filter((mark) => mark.name !== 'em') : open;
    runs.push({ breaks, html: words, marks: distinct(drawn) });
    breaks = '';
  };
  const close = () => {
    written += writtenRuns(withFreeEnds(runs)) + breaks;
    [runs, breaks] = [[], ''];
  };
  for (const [whole, end, name = ''] of html.matchAll(pieces)) {
    if (name === '' || name === 'img') add(whole);
    else if (name === 'br') {
      if (open.some((mark) => edged.has(mark.name))) add(whole);
      else breaks += whole;
    } else if (!names.has(name) || (isPre && name === 'code')) {
      if (open.length > 0) return html;
      if (name === 'pre') isPre = end === '';
      close();
      written += whole;
    } else if (end === '') {
      if (open.length === deepest) return html;
      boxes += 1;
      open.push({ name, tag: whole, key: edged.has(name) ? `${boxes} ${whole}` : whole });
    } else {
      const mark = open.at(-1);
      if (mark?.name !== name) return html;
      // All that came since it began stands in it, so the last tells whether anything did.
      if (edged.has(name) && runs.at(-1)?.marks.includes(mark) !== true) add('');
      open.pop();
    }
  }
  if (open.length > 0) return html;
  close();
  return written;
}

/** Without those that are drawn but once within another of their kind. */
function distinct(open: readonly Mark[]): readonly Mark[] {
  return open.filter((mark, place) => {
    const earlier = open.slice(0, place);
    const between = earlier.slice(earlier.findLastIndex((each) => !areAlike(each, mark)) + 1);
    return between.every(({ key }) => key !== mark.key);
  });
}

/**
 * Blanks where a line ends, as before a picture, are drawn in boxes alone: nobody sees other marks of them.
 * But a link around nothing else leads somewhere.
 */
function withFreeEnds(runs: readonly Run[]): readonly Run[] {
  const seen = new Set(runs.flatMap(({ html, marks }) => (blank.test(html) ? [] : marks)));
  const isLoneLink = (mark: Mark) => link.test(mark.tag) && !seen.has(mark);
  let isEnd = true;
  const all = runs.toReversed().map((run) => {
    const isFree = isEnd && blank.test(run.html) && !run.marks.some(({ name }) => edged.has(name));
    isEnd = isFree || run.breaks !== '' || run.html.startsWith('<img');
    return isFree ? { ...run, marks: run.marks.filter(isLoneLink) } : run;
  });
  return all.toReversed();
}

function writtenRuns(all: readonly Run[]): string {
  const runs = joined(all);
  const lasting = lastingIn(runs);
  let written = '';
  let open: readonly Mark[] = [];
  const closeTo = (count: number) => {
    for (const { name } of open.slice(count).toReversed()) written += `</${name}>`;
  };
  for (const [place, { breaks, html, marks }] of runs.entries()) {
    const next = ordered(marks, open, lasting[place] ?? new Map());
    const fresh = next.findIndex(({ key }, depth) => key !== open[depth]?.key);
    const kept = fresh === -1 ? next.length : fresh;
    closeTo(kept);
    written += breaks;
    for (const { tag } of next.slice(kept)) written += tag;
    written += html;
    open = next;
  }
  closeTo(0);
  return written;
}

/** What meets in marks that are drawn alike is one run. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last === undefined || run.breaks !== '' || drawnAs(last.marks) !== drawnAs(run.marks))
      all.push(run);
    else all[all.length - 1] = { ...last, html: last.html + run.html };
  }
  return all;
}

/** The same for marks that are drawn alike: of all their orders the first by their keys. */
function drawnAs(marks: readonly Mark[]): string {
  const left = [...marks];
  const order: string[] = [];
  while (left.length > 0) {
    const [first] = outermost(left).toSorted((one, other) => (one.key < other.key ? -1 : 1));
    if (first !== undefined)
      order.push(...left.splice(left.indexOf(first), 1).map(({ key }) => key));
  }
  return JSON.stringify(order);
}

/** Those that all others may stand in. */
function outermost(marks: readonly Mark[]): Mark[] {
  return marks.filter((mark, place) =>
    marks.slice(0, place).every((other) => areAlike(mark, other)),
  );
}

/** For each run, by the key of a mark: in how many runs it goes on from there. */
function lastingIn(runs: readonly Run[]): ReadonlyMap<string, number>[] {
  let next: ReadonlyMap<string, number> = new Map();
  const all = runs.toReversed().map(({ marks }) => {
    next = new Map(marks.map(({ key }) => [key, (next.get(key) ?? 0) + 1]));
    return next;
  });
  return all.toReversed();
}

/** Those that go on stand outside, then what lasts longest, as far as all are drawn alike so. */
function ordered(
  marks: readonly Mark[],
  open: readonly Mark[],
  lasting: ReadonlyMap<string, number>,
): readonly Mark[] {
  const left = [...marks];
  const order: Mark[] = [];
  const take = (mark: Mark | undefined) => {
    if (mark !== undefined) order.push(...left.splice(left.indexOf(mark), 1));
    return mark !== undefined;
  };
  for (const before of open)
    if (!take(outermost(left).find(({ key }) => key === before.key))) break;
  const length = ({ key }: Mark) => lasting.get(key) ?? 0;
  const first = (one: Mark, other: Mark) =>
    length(other) - length(one) || (one.tag < other.tag ? -1 : 1);
  while (left.length > 0) take(outermost(left).toSorted(first)[0]);
  return order;
}

/** Whether it makes no difference which of them is around the other: for a link that is so with highlighted words. */
function areAlike({ name: one }: Mark, { name: other }: Mark): boolean {
  if (free.has(one) || free.has(other)) return true;
  const isHighlitLink = [one, other].toSorted().join() === 'a,mark';
  return isHighlitLink || (level.has(one) && level.has(other));
}
