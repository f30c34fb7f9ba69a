/** Two texts of a post that began as one, field by field. Pure. */
import type { PostContent } from '@cambist/contract/blog';
import { textWithAddresses } from '@cambist/html/text';
import {
  chosenDraft,
  differences,
  sameDraft,
  type Difference,
  type Leaf,
  type Side,
} from '#lib/admin/comparison.ts';
import { contentTexts, fieldOrder } from '../content-diff.ts';

export interface Sides {
  /** What mine was when it was saved last, and the same as the service keeps it. */
  readonly sent: PostContent;
  readonly kept: PostContent;
  readonly mine: PostContent;
  readonly theirs: PostContent;
}

export interface TwoTexts {
  readonly fields: readonly Difference[];
  readonly mine: PostContent;
  /** The one text that is made of both. */
  chosen(sides: Readonly<Record<string, Side>>): PostContent;
  /** Whether anything that this side changed goes on nowhere then. */
  loses(side: Side, sides: Readonly<Record<string, Side>>): boolean;
}

export function twoTexts(
  labels: Readonly<Record<keyof PostContent, string>>,
  { sent, kept, mine: typed, theirs }: Sides,
): TwoTexts {
  const leaves = fieldOrder.flatMap((name) => leavesOf(name, labels));
  // The service tidies what it is sent; nobody has changed a field for that.
  const own = leaves.filter((leaf) => !sameDraft([leaf], sent, typed));
  const mine = own.reduce((draft, leaf) => leaf.taken(draft, typed), kept);
  const fields = differences(leaves, { before: kept, mine, theirs });
  return {
    fields,
    mine,
    chosen: (sides) => chosenDraft(leaves, { mine, theirs }, sides),
    loses: (side, sides) =>
      fields.some(({ by, path }) => (by === side || by === 'both') && sides[path] !== side),
  };
}

/** A picture and its description are one field. */
function leavesOf(
  name: keyof PostContent,
  labels: Readonly<Record<keyof PostContent, string>>,
): Leaf<PostContent>[] {
  if (name === 'cover_alt') return [];
  const names = name === 'cover' ? (['cover', 'cover_alt'] as const) : ([name] as const);
  return [
    {
      path: name,
      label: labels[name],
      sent: (content) => names.map((each) => content[each]),
      text: (content) => {
        const { cover, cover_alt: alt, ...texts } = contentTexts(content);
        if (name === 'body') return textWithAddresses(texts.body);
        return name === 'cover' ? `${cover}\n${alt}`.trim() : texts[name];
      },
      taken: (content, from) => ({
        ...content,
        ...Object.fromEntries(names.map((each) => [each, from[each]])),
      }),
    },
  ];
}
