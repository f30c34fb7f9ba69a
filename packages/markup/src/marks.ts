/**
 * Words that are marked in several ways at once, in the one way of writing it that stands for all that
 * are drawn alike: a mark around others or within them, parted and begun again, or around nothing. Pure.
 */
import { pieces } from './tags.ts';

interface Mark {
  readonly name: string;
  /** Its opening tag. */
  readonly tag: string;
}

/** Words or a picture, with the breaks before them: of a break nobody sees in which marks it stands. */
interface Run {
  readonly breaks: string;
  readonly html: string;
  readonly marks: readonly Mark[];
}

const names = new Set('a strong em s u mark sub sup kbd code'.split(' '));
/** Drawn alike around every other mark and within it. */
const free = new Set(['strong', 'em']);
/** Drawn alike around and within one another. */
const level = new Set(['s', 'u', 'mark']);
/** Each has an edge of its own where two of them meet. */
const edged = new Set(['code', 'kbd']);

/** The same HTML with its marks in one order, each for as long as it goes on; as it is where one holds a block. */
export function inOneOrder(html: string): string {
  let [written, breaks]: [string, string] = ['', ''];
  let runs: Run[] = [];
  let isPre = false;
  const open: Mark[] = [];
  const close = () => {
    written += writtenRuns(runs) + breaks;
    [runs, breaks] = [[], ''];
  };
  for (const [whole, end, name = ''] of html.matchAll(pieces)) {
    if (name === '' || name === 'img') {
      runs.push({ breaks, html: whole, marks: [...open] });
      breaks = '';
    } else if (name === 'br') breaks += whole;
    else if (!names.has(name) || (isPre && name === 'code')) {
      if (open.length > 0) return html;
      if (name === 'pre') isPre = end === '';
      close();
      written += whole;
    } else if (end === '') open.push({ name, tag: whole });
    else if (open.pop()?.name !== name) return html;
  }
  close();
  return written;
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
    const fresh = next.findIndex((mark, depth) => !isOne(mark, open[depth]));
    const kept = fresh === -1 ? next.length : fresh;
    closeTo(kept);
    written +=
      breaks +
      next
        .slice(kept)
        .map(({ tag }) => tag)
        .join('') +
      html;
    open = next;
  }
  closeTo(0);
  return written;
}

/** Whether the second goes on in the first. */
function isOne(mark: Mark, before: Mark | undefined): boolean {
  return edged.has(mark.name) ? before === mark : before?.tag === mark.tag;
}

const has = (marks: readonly Mark[], mark: Mark) => marks.some((each) => isOne(each, mark));

/** What meets in the same marks is one run. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    const isSame =
      last?.marks.length === run.marks.length && run.marks.every((mark) => has(last.marks, mark));
    if (last === undefined || !isSame || run.breaks !== '') all.push(run);
    else all[all.length - 1] = { ...last, html: last.html + run.html };
  }
  return all;
}

/** For each run, by the tag of a mark: in how many runs it goes on from there. */
function lastingIn(runs: readonly Run[]): ReadonlyMap<string, number>[] {
  let next: ReadonlyMap<string, number> = new Map();
  const all = runs.toReversed().map(({ marks }) => {
    next = new Map(marks.map(({ tag }) => [tag, (next.get(tag) ?? 0) + 1]));
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
  const outermost = () =>
    left.filter((mark, place) => left.slice(0, place).every((other) => areAlike(mark, other)));
  for (const before of open) if (!take(outermost().find((mark) => isOne(mark, before)))) break;
  const length = ({ tag }: Mark) => lasting.get(tag) ?? 0;
  const first = (one: Mark, other: Mark) =>
    length(other) - length(one) || (one.tag < other.tag ? -1 : 1);
  while (left.length > 0) take(outermost().toSorted(first)[0]);
  return order;
}

/** Whether it makes no difference which of them is around the other. */
function areAlike(one: Mark, other: Mark): boolean {
  return (
    free.has(one.name) || free.has(other.name) || (level.has(one.name) && level.has(other.name))
  );
}
