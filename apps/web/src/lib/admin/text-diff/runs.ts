/** Words of two texts side by side, and in what those that stayed are set anew. Pure. */
import { kindsBetween, type SettingKind } from '@cambist/markup/readable';
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

/** What begins, or begins no more, between two words that stayed: a list that was parted has the same signs. */
export function partedIn(runs: readonly Run[]): SettingKind[] {
  return runs.flatMap((run, index) => {
    if (!hasStayed(run)) return [];
    const before = runs[index - 1];
    const isBehindStayed = before === undefined || hasStayed(before);
    return run.fresh.flatMap(({ begins: is }, place) => {
      const was = run.old[place]?.begins;
      const kind = is ?? was;
      return kind !== undefined && is !== was && (place > 0 || isBehindStayed) ? [kind] : [];
    });
  });
}
