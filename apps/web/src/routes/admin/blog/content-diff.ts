/** What differs between two contents of a post, word by word. Pure. */
import { diffLines, diffWordsWithSpace } from 'diff';
import type { PostContent } from '@cambist/contract/blog';
import { readable } from './readable.ts';

export interface Part {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

export interface FieldDiff {
  readonly field: keyof PostContent;
  readonly parts: readonly Part[];
}

const order = [
  'title',
  'body',
  'slug',
  'excerpt',
  'cover',
  'cover_alt',
  'author',
  'tags',
  'canonical',
  'meta_title',
  'meta_description',
  'head_script',
] as const satisfies readonly (keyof PostContent)[];

/** Beyond this two texts that share little would keep the page busy: lines are compared then. */
const patienceMs = 1_500;
/** As much of what stayed as is shown before and after what changed. */
const contextLength = 120;

/** The fields that differ, in the order of the form. */
export function contentDiff(before: PostContent, after: PostContent): FieldDiff[] {
  return order.flatMap((field) => {
    const [old, fresh] = [textOf(before, field), textOf(after, field)];
    if (old === fresh) return [];
    return [{ field, parts: shortened(compared(old, fresh)) }];
  });
}

function textOf(content: PostContent, field: keyof PostContent): string {
  if (field === 'body') return readable(content.body);
  if (field === 'tags') return content.tags.join(', ');
  return content[field] ?? '';
}

function compared(old: string, fresh: string): Part[] {
  const changes = diffWordsWithSpace(old, fresh, { timeout: patienceMs }) ?? diffLines(old, fresh);
  return changes.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

/** Long stretches that stayed are cut in their middle. */
function shortened(parts: readonly Part[]): Part[] {
  return parts.map(({ kind, text }, index) => {
    if (kind !== 'same') return { kind, text };
    const start = index === 0 ? '' : text.slice(0, contextLength);
    const end = index === parts.length - 1 ? '' : text.slice(-contextLength);
    const isShort = text.length <= start.length + end.length + 40;
    return { kind, text: isShort ? text : `${start} … ${end}` };
  });
}
