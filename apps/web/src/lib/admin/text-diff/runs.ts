/** Words of two texts side by side, and in what those that stayed are set anew. Pure. */
import { kindsBetween, type Place, type SettingKind } from '@cambist/markup/readable';
import type { Text } from './word-diff.ts';
import type { Word } from './words.ts';

/** `anew`: the same words, set in another way that no sign among them tells. */
export type Kind = 'same' | 'anew' | 'added' | 'removed';

/** Words that stayed have both sides, with the setting of each. */
export interface Run {
  readonly kind: Kind;
  readonly old: readonly Word[];
  readonly fresh: readonly Word[];
}

export const hasStayed = ({ kind }: Run) => kind === 'same' || kind === 'anew';

/** The ends of its lines alone, which stand among the words as plain ones, however they are set. */
export function endsOf({ kind, old, fresh }: Run): Run {
  const ends = (words: readonly Word[]) => words.filter(({ text }) => text === '\n');
  return { kind, old: ends(old), fresh: ends(fresh) };
}

/** In what words are set anew. */
export function kindsIn(runs: readonly Run[]): SettingKind[] {
  return runs
    .filter(({ kind }) => kind === 'anew')
    .flatMap(({ old, fresh }) =>
      fresh.flatMap(({ set }, place) => between(old[place]?.set ?? '', set)),
    );
}

/** In what the texts are set anew before their first word and after their last one. */
export function edgeKinds(old: Text, fresh: Text): SettingKind[] {
  const [was, is] = [edgesOf(old), edgesOf(fresh)];
  return is.flatMap((set, place) => between(was[place] ?? '', set));
}

function edgesOf(text: Text): string[] {
  const [first, last] = typeof text === 'string' ? [] : [text[0], text.at(-1)];
  return [first, last].map((stretch) => (stretch?.text === '' ? stretch.set : ''));
}

function between(was: string, is: string): readonly SettingKind[] {
  return was === is ? [] : kindsBetween(was, is);
}

/**
 * Of which kinds there are parts that stayed and are of one container on one side, of two on the other:
 * a list that was parted or joined has the same signs.
 */
export function partedIn(runs: readonly Run[]): SettingKind[] {
  const stayed = partsThatStayed(runs);
  return [...heldApart(stayed), ...heldApart(stayed.map(([was, is]) => [is, was]))];
}

/** Of which kinds parts of one container are of several others. */
function heldApart(parts: readonly (readonly [Place, Place])[]): SettingKind[] {
  const others = new Map<number, number>();
  return parts.flatMap(([one, { container }]) => {
    const known = others.get(one.container) ?? container;
    others.set(one.container, known);
    return known === container ? [] : [one.kind];
  });
}

/** Parts in which at least a third of the shorter text stayed, each with the part that it was before it. */
function partsThatStayed(runs: readonly Run[]): (readonly [Place, Place])[] {
  const old = lettersByPart(runs.flatMap((run) => run.old));
  const fresh = lettersByPart(runs.flatMap((run) => run.fresh));
  const stayed = new Map<Place, Map<Place, number>>();
  for (const run of runs.filter(hasStayed))
    for (const [index, { text, place }] of run.fresh.entries())
      for (const [was, is] of pairsOf(run.old[index]?.place, place)) {
        const from = stayed.get(is) ?? new Map<Place, number>();
        stayed.set(is, from.set(was, (from.get(was) ?? 0) + lettersIn(text)));
      }
  return [...stayed].flatMap(([is, from]) => {
    const [most] = [...from].toSorted(([, one], [, other]) => other - one);
    if (most === undefined) return [];
    const [was, letters] = most;
    const shorter = Math.min(old.get(was) ?? 0, fresh.get(is) ?? 0);
    return letters > 0 && letters * 3 >= shorter ? [[was, is] as const] : [];
  });
}

/** With the words of the lists and tables in it. */
function lettersByPart(words: readonly Word[]): Map<Place, number> {
  const all = new Map<Place, number>();
  for (const { text, place } of words)
    for (const each of placesOf(place)) all.set(each, (all.get(each) ?? 0) + lettersIn(text));
  return all;
}

/** What stands around a word on either side: the outermost item with the outermost one, and so on inwards. */
function pairsOf(was: Place | undefined, is: Place | undefined): (readonly [Place, Place])[] {
  const old = placesOf(was);
  const left = new Set(old);
  return placesOf(is).flatMap((fresh) => {
    const other = old.find((each) => left.has(each) && each.kind === fresh.kind);
    if (other === undefined) return [];
    left.delete(other);
    return [[other, fresh] as const];
  });
}

/** From the outermost inwards. */
function placesOf(place: Place | undefined): readonly Place[] {
  return place === undefined ? [] : [...placesOf(place.around), place];
}

function lettersIn(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
}
