/**
 * Two who wrote the same form at once, field by field: which fields they differ
 * in, who of them changed each, and the one draft that is made of both. Pure.
 */
export type Side = 'mine' | 'theirs';

/** A part of a draft that is chosen as a whole. */
export interface Leaf<Draft> {
  readonly path: string;
  readonly label: string;
  /** What the service gets of it: two that send the same do not differ. */
  sent(draft: Draft): unknown;
  /** As people compare it. */
  text(draft: Draft): string;
  /** The draft with this part of another one. */
  taken(draft: Draft, from: Draft): Draft;
}

export interface Difference {
  readonly path: string;
  readonly label: string;
  /** Who changed it since the form was opened. */
  readonly by: Side | 'both';
  readonly before: string;
  readonly mine: string;
  readonly theirs: string;
}

export function sameDraft<Draft>(
  leaves: readonly Leaf<Draft>[],
  one: Draft,
  other: Draft,
): boolean {
  return leaves.every((leaf) => sendSame(leaf, one, other));
}

/** The fields that they differ in, in the order of the form. `before` is what both began with. */
export function differences<Draft>(
  leaves: readonly Leaf<Draft>[],
  {
    before,
    mine,
    theirs,
  }: { readonly before: Draft; readonly mine: Draft; readonly theirs: Draft },
): Difference[] {
  return leaves
    .filter((leaf) => !sendSame(leaf, mine, theirs))
    .map((leaf) => ({
      path: leaf.path,
      label: leaf.label,
      by: sendSame(leaf, before, theirs)
        ? 'mine'
        : sendSame(leaf, before, mine)
          ? 'theirs'
          : 'both',
      before: leaf.text(before),
      mine: leaf.text(mine),
      theirs: leaf.text(theirs),
    }));
}

/** What one alone has changed goes on by itself; of what both have, mine, since I am here to say. */
export function firstChoice({ by }: Difference): Side {
  return by === 'theirs' ? 'theirs' : 'mine';
}

/** Theirs, with what of mine is chosen. */
export function chosenDraft<Draft>(
  leaves: readonly Leaf<Draft>[],
  { mine, theirs }: { readonly mine: Draft; readonly theirs: Draft },
  sides: Readonly<Record<string, Side>>,
): Draft {
  return leaves
    .filter(({ path }) => sides[path] === 'mine')
    .reduce((draft, leaf) => leaf.taken(draft, mine), theirs);
}

/** Another draft, with what was typed since `before` in its place. */
export function laidOver<Draft>(
  leaves: readonly Leaf<Draft>[],
  {
    before,
    typed,
    under,
  }: { readonly before: Draft; readonly typed: Draft; readonly under: Draft },
): Draft {
  return leaves
    .filter((leaf) => !sendSame(leaf, before, typed))
    .reduce((draft, leaf) => leaf.taken(draft, typed), under);
}

/** The leaves of a form whose fields are lines of text; `read` makes of what is no plain text what people compare. */
export function lineLeaves<Draft extends object>(
  labels: Readonly<Record<keyof Draft & string, string>>,
  read: { readonly [Key in keyof Draft]?: (line: string) => string } = {},
): Leaf<Draft>[] {
  return (Object.keys(labels) as (keyof Draft & string)[]).map((path) => ({
    path,
    label: labels[path],
    sent: (draft) => draft[path],
    text: (draft) => {
      const line = String(draft[path]);
      return read[path]?.(line) ?? line;
    },
    taken: (draft, from) => ({ ...draft, [path]: from[path] }),
  }));
}

/** What was kept of such a form, over one that is whole. */
export function revivedLines<Draft extends object>(whole: Draft, kept: unknown): Draft {
  const lines = Object.entries(typeof kept === 'object' && kept !== null ? kept : {});
  return {
    ...whole,
    ...Object.fromEntries(
      lines.filter(([key, line]) => Object.hasOwn(whole, key) && typeof line === 'string'),
    ),
  };
}

function sendSame<Draft>(leaf: Leaf<Draft>, one: Draft, other: Draft): boolean {
  return JSON.stringify(leaf.sent(one)) === JSON.stringify(leaf.sent(other));
}
