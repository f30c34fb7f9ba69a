/**
 * Tab in the last cell of a table adds a row. Of who goes by the keyboard alone that would never
 * end, so in a last row that is empty it leads out of the table, and takes that row with it.
 */
import type { EditorState, Transaction } from '@tiptap/pm/state';
import { isInTable, removeRow, selectedRect, type TableRect } from '@tiptap/pm/tables';
import { caretAt } from './caret-after.ts';

/** The caret behind the table, in the paragraph there or a new one; null where Tab has to do in the table. */
export function leaveTable(state: EditorState): Transaction | null {
  if (!state.selection.empty || !isInTable(state)) return null;
  const rect = selectedRect(state);
  const { map, table, tableStart } = rect;
  if (rect.right < map.width || rect.bottom < map.height || !isLastRowEmpty(rect)) return null;
  const { tr } = state;
  if (map.height > 1) removeRow(tr, rect, map.height - 1);
  const end = tr.mapping.map(tableStart + table.nodeSize - 1);
  return caretAt(tr, end);
}

/** A cell that reaches down from a row above counts for that row, and becomes shorter. */
function isLastRowEmpty({ map, table }: TableRect): boolean {
  const last = { left: 0, right: map.width, top: map.height - 1, bottom: map.height };
  return map.cellsInRect(last).every((at) => {
    const cell = table.nodeAt(at);
    return cell?.childCount === 1 && cell.firstChild?.isTextblock && cell.content.size === 2;
  });
}
