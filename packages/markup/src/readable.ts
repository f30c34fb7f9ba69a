/**
 * Cleaned HTML as lines that a person compares: headings, items, links and pictures
 * written with signs, so that a change of these shows in the words. Pure.
 */
import { stretchesOf, type Stretch } from './reading.ts';

export type { Place } from './containers.ts';
export type { Stretch } from './reading.ts';
export { stretchesOf } from './reading.ts';

/** The lines alone. */
export function plain(stretches: readonly Stretch[]): string {
  return stretches.map(({ text }) => text).join('');
}

/** Whether people who compare two texts would be shown nothing: their words are the same, and how these are set. */
export function isReadTheSame(one: string, other: string): boolean {
  return one === other || JSON.stringify(stretchesOf(one)) === JSON.stringify(stretchesOf(other));
}

/** What people call that in which two settings of the same words differ, in the order of being told. */
export const settingKinds = [
  'signs',
  'links',
  'underlining',
  'raised',
  'marking',
  'keys',
  'spaces',
  'paragraphs',
  'quotations',
  'captions',
  'terms',
  'cells',
  'lists',
  'tables',
  'pictures',
  'anchors',
] as const;
export type SettingKind = (typeof settingKinds)[number];

/** By the first word of a name in `Stretch.set`. */
const kindOf: Readonly<Record<string, SettingKind>> = {
  sign: 'signs',
  a: 'links',
  u: 'underlining',
  sub: 'raised',
  sup: 'raised',
  mark: 'marking',
  kbd: 'keys',
  space: 'spaces',
  empty: 'paragraphs',
  bare: 'paragraphs',
  blockquote: 'quotations',
  figcaption: 'captions',
  caption: 'captions',
  dt: 'terms',
  dd: 'terms',
  tfoot: 'cells',
  cell: 'cells',
  picture: 'pictures',
  anchor: 'anchors',
};

/** In what two settings of a word differ; where only the order of the names does, what they are. */
export function kindsBetween(was: string, is: string): readonly SettingKind[] {
  const [old, fresh] = [spansOf(was), spansOf(is)];
  const found: string[] = [];
  for (const letter of new Set([...old, ...fresh].map(({ from }) => from))) {
    const [before, after] = [namesAt(old, letter), namesAt(fresh, letter)];
    found.push(...without(before, after), ...without(after, before));
  }
  const differing = found.map(kindNamed).filter((kind) => kind !== undefined);
  const all = [...old, ...fresh].flatMap(({ names }) => names.map(kindNamed));
  return settingKinds.filter((kind) => (found.length > 0 ? differing : all).includes(kind));
}

/** By an element's name. */
const kindOfElement: Readonly<Record<string, SettingKind>> = {
  a: 'links',
  u: 'underlining',
  mark: 'marking',
  kbd: 'keys',
  ul: 'lists',
  ol: 'lists',
  li: 'lists',
  table: 'tables',
  tr: 'tables',
  p: 'paragraphs',
  blockquote: 'quotations',
  dl: 'terms',
  figure: 'pictures',
};

/** In what texts of which every word is the same and set alike differ still: where their elements begin and end. */
export function kindsOfElements(
  was: readonly Stretch[],
  is: readonly Stretch[],
): readonly SettingKind[] {
  const [before, after] = [elementsIn(was), elementsIn(is)];
  const differing = [...without(before, after), ...without(after, before)];
  const kinds = differing.map((element) => kindOfElement[nameOf(element)]);
  return settingKinds.filter((kind) => kinds.includes(kind));
}

function nameOf(element: string): string {
  return /[a-z]+/.exec(element)?.[0] ?? '';
}

function elementsIn(stretches: readonly Stretch[]): string[] {
  const names = stretches.at(-1)?.set.split('\n') ?? [];
  const [, elements = ''] = names.at(-1)?.split('elements ') ?? [];
  return elements.split(',');
}

interface Span {
  /** Its first letter. */
  readonly from: number;
  readonly names: readonly string[];
}

/** After the names of letters stands how many they are, where those of one word differ. */
function spansOf(set: string): Span[] {
  const spans: Span[] = [];
  let [from, names]: [number, string[]] = [0, []];
  for (const line of [...set.split('\n'), '1']) {
    if (!/^\d+$/.test(line)) names.push(line);
    else if (names.length > 0) {
      spans.push({ from, names });
      [from, names] = [from + Number(line), []];
    }
  }
  return spans;
}

function namesAt(spans: readonly Span[], letter: number): readonly string[] {
  return spans.findLast(({ from }) => from <= letter)?.names ?? [];
}

/** What of the first is not in the second, as often as it is there more. */
function without(one: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return one.filter((name) => {
    const place = left.indexOf(name);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

/** None of all the elements together: what they change is told by the words, or is nothing but they. */
function kindNamed(name: string): SettingKind | undefined {
  return kindOf[name.split(' ')[0] ?? ''];
}
