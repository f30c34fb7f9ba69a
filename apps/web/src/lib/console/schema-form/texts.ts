/** The fields of a form made from a schema as texts, for comparing two values of it. Pure. */
import { asGroup, asRows, type Draft, type GroupDraft } from './draft.ts';
import type { Group, Shape } from './shape.ts';
import { labelOf, placeOf, wordsAt, type Words } from './words.ts';

interface Wording {
  readonly words: Words;
  /** The words of a switch. */
  readonly on: string;
  readonly off: string;
}

interface GroupTexts {
  /** By path, in the order of the form. */
  readonly texts: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Groups are looked into; a list is one text, a line for each of its fields. */
export function groupTexts(group: Group, draft: GroupDraft, wording: Wording): GroupTexts {
  const found = textsAt(group, [], draft, wording);
  return {
    texts: Object.fromEntries(found.map(({ path, text }) => [path, text])),
    labels: Object.fromEntries(found.map(({ path }) => [path, placeOf(wording.words, path)])),
  };
}

function textsAt(
  group: Group,
  above: readonly string[],
  draft: GroupDraft,
  wording: Wording,
): { path: string; text: string }[] {
  return group.fields.flatMap(({ key, shape }) => {
    const steps = [...above, key];
    const part = draft[key];
    if (shape.kind === 'group') return textsAt(shape, steps, asGroup(part), wording);
    const path = steps.join('.');
    return [{ path, text: textOf(shape, path, part, wording) }];
  });
}

/** A value in lines: each row of a list with the fields in it, one under the other. */
function textOf(shape: Shape, path: string, draft: Draft | undefined, wording: Wording): string {
  const named = (choice: string) => wordsAt(wording.words, path)?.choices?.[choice]?.() ?? choice;
  const linesOf = (item: Shape, at: string, value: Draft) => textOf(item, at, value, wording);
  switch (shape.kind) {
    case 'switch':
      return draft === true ? wording.on : wording.off;
    case 'choice':
      return named(String(draft ?? ''));
    case 'ticks':
      return shape.choices
        .filter((choice) => asGroup(draft)[choice] === true)
        .map(named)
        .join('\n');
    case 'order':
      return asRows(draft)
        .map(({ value }) => named(String(value)))
        .join('\n');
    case 'list':
      return asRows(draft)
        .map(({ value }, index) => rowText(index, linesOf(shape.item, `${path}.${index}`, value)))
        .join('\n');
    case 'group':
      return (
        shape.fields
          .map(({ key, shape: inner }) => {
            const at = `${path}.${key}`;
            return [
              labelOf(wording.words, at),
              linesOf(inner, at, asGroup(draft)[key] ?? ''),
            ] as const;
          })
          .filter(([, text]) => text !== '')
          // Each in its own direction.
          .map(([label, text]) => `${label}: ${text.includes('\n') ? text : text}`)
          .join('\n')
      );
    default:
      return String(draft ?? '');
  }
}

function rowText(index: number, text: string): string {
  return `${index + 1}. ${text.replaceAll('\n', '\n   ')}`;
}
