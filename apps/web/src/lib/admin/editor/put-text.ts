/**
 * A text from outside takes the place of what an editor shows: what the service has
 * made of it, or what was chosen of two. Undoing never brings back what it replaced,
 * which its form no longer holds; what was typed around it can still be undone.
 */
import type { Node } from '@tiptap/pm/model';
import type { EditorState, Transaction } from '@tiptap/pm/state';

/** Of the whole text only the blocks from the first to the last that differ: the caret stays in the others. */
export function putText({ tr, doc }: EditorState, next: Node): Transaction {
  const [old, young] = [doc.children, next.children];
  const most = Math.min(old.length, young.length);
  const before = equalAtStart(old, young, most);
  const behind = equalAtStart(old.toReversed(), young.toReversed(), most - before);
  const from = lengthOf(old.slice(0, before));
  const to = doc.content.size - lengthOf(old.slice(old.length - behind));
  const blocks = young.slice(before, young.length - behind);
  if (from < to || blocks.length > 0) tr.replaceWith(from, to, blocks);
  return tr.setMeta('addToHistory', false);
}

function equalAtStart(old: readonly Node[], young: readonly Node[], most: number): number {
  const differs = young.slice(0, most).findIndex((block, at) => !old[at]?.eq(block));
  return differs < 0 ? most : differs;
}

function lengthOf(blocks: readonly Node[]): number {
  return blocks.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}
