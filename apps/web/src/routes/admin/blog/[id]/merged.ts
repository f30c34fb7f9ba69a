/** Two texts of a post that began as one, put together where each changed fields of its own. Pure. */
import type { PostContent } from '@cambist/contract/blog';

export interface Sides {
  /** What mine was when it was saved last, and the same as the service keeps it. */
  readonly sent: PostContent;
  readonly kept: PostContent;
  readonly mine: PostContent;
  readonly theirs: PostContent;
}

/** A picture and its description are one field. */
const together: readonly (readonly (keyof PostContent)[])[] = [['cover', 'cover_alt']];

/** Null where both have changed the same field, each in another way. */
export function merged({ sent, kept, mine, theirs }: Sides): PostContent | null {
  const names = Object.keys(mine) as (keyof PostContent)[];
  const differs = (one: PostContent, other: PostContent, name: keyof PostContent) =>
    (together.find((each) => each.includes(name)) ?? [name]).some(
      (each) => JSON.stringify(one[each]) !== JSON.stringify(other[each]),
    );
  const isMine = new Set(names.filter((name) => differs(sent, mine, name)));
  const isTorn = names.some(
    (name) => isMine.has(name) && differs(kept, theirs, name) && differs(mine, theirs, name),
  );
  if (isTorn) return null;
  const own = names.filter((name) => isMine.has(name)).map((name) => [name, mine[name]]);
  return { ...theirs, ...Object.fromEntries(own) };
}
