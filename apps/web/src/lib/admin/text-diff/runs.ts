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
 * Of which kinds parts that stayed, one after the other, are of one container on one side and of two on
 * the other: a list that was parted or joined has the same signs.
 */
export function partedIn(runs: readonly Run[]): SettingKind[] {
  const found: SettingKind[] = [];
  const last = new Map<SettingKind, readonly [Place, Place]>();
  for (const [was, is] of partsThatStayed(runs)) {
    const [before, after] = last.get(is.kind) ?? [was, is];
    if ((before.container === was.container) !== (after.container === is.container))
      found.push(is.kind);
    last.set(is.kind, [was, is]);
  }
  return found;
}

/** Parts in which at least a third of the shorter text stayed, each with the part that it was before it. */
function partsThatStayed(runs: readonly Run[]): (readonly [Place, Place])[] {
  const old = lettersByPart(runs.flatMap((run) => run.old));
  const fresh = lettersByPart(runs.flatMap((run) => run.fresh));
  const stayed = new Map<Place, Map<Place, number>>();
  for (const run of runs.filter(hasStayed))
    for (const [index, { text, place: is }] of run.fresh.entries()) {
      const was = run.old[index]?.place;
      if (is === undefined || was?.kind !== is.kind) continue;
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

function lettersByPart(words: readonly Word[]): Map<Place, number> {
  const all = new Map<Place, number>();
  for (const { text, place } of words)
    if (place !== undefined) all.set(place, (all.get(place) ?? 0) + lettersIn(text));
  return all;
}

function lettersIn(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
}
