/**
 * Where "undo" and "redo" lead from each writing of settings. An undo is a writing like
 * any other, so it is known by what it took back: the very version that undoing led to,
 * unless somebody chose that from the list. Pure.
 */
export interface Step {
  /** The version that is to be restored; null where there is none. */
  readonly undo: number | null;
  readonly redo: number | null;
}

export interface Written {
  readonly version: number;
  readonly restored: number | null;
  /** From the list, and neither by undo nor by redo. */
  readonly chosen: boolean;
  /** What it found is kept. */
  readonly kept: boolean;
  /** It left the very value that it found: there is nothing of it to take back. */
  readonly same: boolean;
}

const nowhere: Step = { undo: null, redo: null };

/** By version. `writings` are all of a group, the oldest first. */
export function stepsOf(writings: readonly Written[]): ReadonlyMap<number, Step> {
  const steps = new Map<number, Step>();
  for (const { version, restored, chosen, kept, same } of writings) {
    const previous = version - 1;
    const from = steps.get(previous) ?? nowhere;
    const back = chosen ? null : restored;
    const { undo, redo } = (back === null ? undefined : steps.get(back)) ?? nowhere;
    if (same) steps.set(version, from);
    else if (back !== null && back === from.undo) steps.set(version, { undo, redo: previous });
    else if (back !== null && back === from.redo) steps.set(version, { undo, redo });
    else steps.set(version, { undo: kept ? previous : null, redo: null });
  }
  return steps;
}
