/** What one writing of settings changed, in the words of their form and in its order. Pure. */
import type { SettingsChange } from '@cambist/contract/settings-history';
import { newRow } from '#lib/admin/schema-form/draft.ts';
import { itemOf, type Item } from '#lib/admin/schema-form/leaves.ts';
import type { Group, Shape } from '#lib/admin/schema-form/shape.ts';
import { placeOf, type Words } from '#lib/admin/schema-form/words.ts';
import { textDiff, type Part } from '#lib/admin/text-diff/text-diff.ts';
import { m } from '#lib/paraglide/messages.js';
import { inFormOrder } from '../../change-order.ts';
import { leafText } from '../../leaf-text.ts';

export interface ToldChange {
  readonly path: string;
  /** What was changed, and of a row what became of it. */
  readonly title: string;
  readonly parts: readonly Part[];
}

type Field = SettingsChange['changes'][number];
type RowChange = SettingsChange['rows'][number];

/** A row as a whole before what changed in it. */
export function toldChanges(
  shape: Group,
  words: Words,
  { changes, rows }: Pick<SettingsChange, 'changes' | 'rows'>,
): ToldChange[] {
  return inFormOrder(shape, [
    ...rows.map((change) => toldRow(shape, words, change)),
    ...changes.map((change) => toldField(words, change)),
  ]);
}

function toldField(words: Words, { path, before, after }: Field): ToldChange {
  const [old, fresh] = [leafText(words, path, before), leafText(words, path, after)];
  return { path, title: placeOf(words, path), parts: textDiff(old, fresh) };
}

function toldRow(shape: Group, words: Words, change: RowChange): ToldChange {
  const { from, to } = change;
  const path = `${change.path}.${to ?? from ?? 0}`;
  const place = placeOf(words, path);
  const { name, text } = itemAt(shape, words, path, change);
  if (from === null)
    return {
      path,
      title: m.settings_history_row_added({ place }),
      parts: [{ kind: 'added', text }],
    };
  if (to === null)
    return {
      path,
      title: m.settings_history_row_removed({ place }),
      parts: [{ kind: 'removed', text }],
    };
  const called = name === '' ? placeOf(words, `${change.path}.${from}`) : name;
  return {
    path,
    title: m.settings_history_row_moved({ place }),
    parts: [{ kind: 'same', text: movedWords(called, from + 1, to + 1) }],
  };
}

/** Others that were moved, came or went may have left it the number that it had. */
function movedWords(name: string, from: number, to: number): string {
  if (from === to) return m.settings_history_row_past({ name, to });
  return m.settings_history_row_from_to({ name, from, to });
}

/** A list that the form does not know any more has its rows as they are kept. */
function itemAt(shape: Group, words: Words, path: string, { path: at, row }: RowChange): Item {
  const list = shapeAt(shape, at.split('.'));
  if (list?.kind !== 'list') return { name: '', text: JSON.stringify(row) };
  const on = m.settings_history_on();
  const wording = { words, on, off: m.settings_history_off(), nameOf: () => undefined };
  return itemOf(list, path, newRow(list, row), wording);
}

function shapeAt(shape: Shape | undefined, [step, ...rest]: readonly string[]): Shape | undefined {
  if (step === undefined) return shape;
  if (shape?.kind === 'list') return shapeAt(shape.item, rest);
  if (shape?.kind !== 'group') return undefined;
  return shapeAt(shape.fields.find(({ key }) => key === step)?.shape, rest);
}
