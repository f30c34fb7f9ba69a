/**
 * The labels of the settings forms. Fields are named by path, without the numbers of rows
 * (`footer.columns.links.href`); `*.title` labels every field of that name without its own entry.
 */
import type { SettingSlug } from '@cambist/contract/settings';
import { m } from '#lib/paraglide/messages.js';
import forms from './fields.json' with { type: 'json' };
import type { Group, NamedShape } from './fields/shape.ts';

export interface FieldLabel {
  readonly label: string;
  readonly hint?: string;
  /** The control of a text, where its schema does not tell. A `shared-picture` is a JPEG or PNG. */
  readonly as?:
    | 'line'
    | 'email'
    | 'figure'
    | 'code'
    | 'amount'
    | 'currency'
    | 'page'
    | 'picture'
    | 'shared-picture';
  readonly choices?: Readonly<Record<string, string>>;
  /** Of a list: the name of a row, such as `Step {number}`, and of the button that adds one. */
  readonly item?: string;
  readonly add?: string;
}

export type Labels = Readonly<Record<string, FieldLabel>>;

/** Asked before `field` is turned on. */
export interface Question {
  readonly field: string;
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
}

interface Form {
  readonly parts?: readonly {
    readonly title: string;
    readonly text?: string;
    readonly fields: readonly string[];
  }[];
  readonly fields: Labels;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly confirm?: Question;
}

export const settingsForms = forms as unknown as Readonly<Record<SettingSlug, Form>>;

export function labelsAt(labels: Labels, path: string): FieldLabel | undefined {
  const steps = path.split('.').filter((step) => !/^\d+$/.test(step));
  return labels[steps.join('.')] ?? labels[`*.${steps.at(-1)}`];
}

export function labelOf(labels: Labels, path: string): string {
  return labelsAt(labels, path)?.label ?? path;
}

export function rowName(labels: FieldLabel | undefined, index: number): string {
  return (labels?.item ?? '{number}').replace('{number}', String(index + 1));
}

/** A field's place from the outside in: "Column 1, Link 2, Address". */
export function placeOf(labels: Labels, path: string): string {
  const steps = path.split('.');
  const names = steps.flatMap((step, index) => {
    const here = steps.slice(0, index + 1).join('.');
    if (/^\d+$/.test(step)) return [rowName(labelsAt(labels, here), Number(step))];
    // A row is named instead of its list.
    return /^\d+$/.test(steps[index + 1] ?? '') ? [] : [labelOf(labels, here)];
  });
  return names.join(', ');
}

export interface FormPart {
  readonly key: string;
  readonly title: string;
  readonly text: string | undefined;
  readonly fields: readonly NamedShape[];
}

/** The parts of a form: the named ones, a part for each group and list, and the remaining fields. */
export function partsOf({ fields }: Group, { parts = [], fields: labels }: Form): FormPart[] {
  const named = parts.map((part) => ({
    key: part.fields.join(),
    title: part.title,
    text: part.text,
    fields: fields.filter(({ key }) => part.fields.includes(key)),
  }));
  const rest = fields.filter(({ key }) => !parts.some((part) => part.fields.includes(key)));
  const isPart = ({ shape: { kind } }: NamedShape) =>
    ['group', 'list', 'checks', 'order'].includes(kind);
  const own = rest.filter(isPart).map((field) => ({
    key: field.key,
    title: labelOf(labels, field.key),
    text: labelsAt(labels, field.key)?.hint,
    fields: [field],
  }));
  const single = rest.filter((field) => !isPart(field));
  const more = { key: '', title: m.settings_part_more(), text: undefined, fields: single };
  return [...named, ...own, ...(single.length > 0 ? [more] : [])];
}

/** The question that replacing `before` by `after` needs an answer to, if any. */
export function questionOf(slug: string, before: object, after: object): Question | null {
  const question = settingsForms[slug as SettingSlug]?.confirm;
  return question && isOn(after, question) && !isOn(before, question) ? question : null;
}

function isOn(value: unknown, { field }: Question): boolean {
  const found = field
    .split('.')
    .reduce((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
  return found === true;
}
