/**
 * What a form calls the fields of its schema. Words are given by path, without
 * the numbers of rows: `footer.columns.links.href`; `*.title` serves all fields
 * of that name which have none of their own. Pure.
 */

export interface FieldWords {
  readonly label: () => string;
  readonly hint?: () => string;
  /**
   * How a text is written, where its length does not say. A `picture` is one of the
   * library; a `shared-picture` one that other sites show, as JPEG or PNG.
   */
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
  /** Says how much of the room is used. */
  readonly counted?: true;
  readonly choices?: Readonly<Record<string, () => string>>;
  /** Of a list: one of its rows, and the button that adds one. */
  readonly one?: (inputs: { number: number }) => string;
  readonly add?: () => string;
  /** Of a list whose rows are told apart by a choice: what each is called. */
  readonly rows?: Readonly<Record<string, () => string>>;
}

export type Words = Readonly<Record<string, FieldWords>>;

export function wordsAt(words: Words, path: string): FieldWords | undefined {
  const steps = path.split('.').filter((step) => !/^\d+$/.test(step));
  return words[steps.join('.')] ?? words[`*.${steps.at(-1)}`];
}

/** The label beside a field. A field without words is called by its key, spelled out. */
export function labelOf(words: Words, path: string): string {
  const spelled = (path.split('.').at(-1) ?? path).replaceAll('_', ' ');
  return wordsAt(words, path)?.label() ?? spelled.charAt(0).toUpperCase() + spelled.slice(1);
}

/** Where a mistake is, from the outside in: "Column 1, Link 2, Address". */
export function placeOf(words: Words, path: string): string {
  const steps = path.split('.');
  const names = steps.flatMap((step, index) => {
    const here = steps.slice(0, index + 1).join('.');
    if (/^\d+$/.test(step)) {
      const one = wordsAt(words, here)?.one;
      return one ? [one({ number: Number.parseInt(step, 10) + 1 })] : [];
    }
    // A list is named by the row in it, when there is one.
    const isList = /^\d+$/.test(steps[index + 1] ?? '') && wordsAt(words, here)?.one;
    return isList ? [] : [labelOf(words, here)];
  });
  return names.join(', ');
}
