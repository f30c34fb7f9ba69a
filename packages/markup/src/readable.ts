/**
 * Cleaned HTML as lines that a person compares: headings, items, links and pictures
 * written with signs, so that a change of these shows in the words. Pure.
 */
import { stretchesOf, type Stretch } from './reading.ts';

export type { Stretch } from './reading.ts';
export { stretchesOf } from './reading.ts';

/** The lines alone. */
export function readable(html: string): string {
  return plain(stretchesOf(html));
}

/** The words of stretches, one after the other. */
export function plain(stretches: readonly Stretch[]): string {
  return stretches.map(({ text }) => text).join('');
}

/** Whether people who compare two texts would be shown nothing: their words are the same, and how these are set. */
export function isReadTheSame(one: string, other: string): boolean {
  return one === other || JSON.stringify(stretchesOf(one)) === JSON.stringify(stretchesOf(other));
}

/** What people call that in which two settings of the same words differ, in the order of being told. */
export const settingKinds = [
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
  'pictures',
  'anchors',
] as const;
export type SettingKind = (typeof settingKinds)[number];

/** By the first word of a name in `Stretch.set`. */
const kindOf: Readonly<Record<string, SettingKind>> = {
  u: 'underlining',
  sub: 'raised',
  sup: 'raised',
  mark: 'marking',
  kbd: 'keys',
  space: 'spaces',
  empty: 'paragraphs',
  loose: 'paragraphs',
  bare: 'paragraphs',
  blockquote: 'quotations',
  figcaption: 'captions',
  caption: 'captions',
  dt: 'terms',
  dd: 'terms',
  thead: 'cells',
  tfoot: 'cells',
  cell: 'cells',
  picture: 'pictures',
  anchor: 'anchors',
};

/** In what two settings differ; where only the letters do to which the same applies, what applies to them. */
export function kindsBetween(was: string, is: string): readonly SettingKind[] {
  const [old, fresh] = [namesIn(was), namesIn(is)];
  const all = [...old, ...fresh];
  const differing = all.filter((name) => !(old.includes(name) && fresh.includes(name)));
  const named = (differing.length > 0 ? differing : all).map(kindNamed);
  return settingKinds.filter((kind) => named.includes(kind));
}

/** Beside them stands of how many letters they are where those of one word differ. */
function namesIn(set: string): string[] {
  return set.split('\n').filter((name) => kindNamed(name) !== undefined);
}

function kindNamed(name: string): SettingKind | undefined {
  return kindOf[name.split(' ')[0] ?? ''];
}
