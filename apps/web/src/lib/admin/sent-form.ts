/**
 * What a form without script carries beside its fields: the version that it was
 * made of, that version's text, and which later one its writer means to replace.
 * A page that comes anew after a refusal knows only what is saved by then. Pure.
 */

/** The version to save over: that of the button "Save mine over theirs", else what the form began with. */
export function sentVersion(form: FormData): number {
  return Number(form.get('over') ?? form.get('version'));
}

export interface Begun {
  readonly version: number;
  /** As the form had it, which nobody has looked at; null where it is not readable. */
  readonly draft: unknown;
}

const longest = 30_000;

/** A draft as its form carries it. Long texts would make what is sent too large: they count as changed by both. */
export function begunText(draft: object): string {
  return JSON.stringify(draft, (_name, value: unknown) =>
    typeof value === 'string' && value.length > longest ? '' : value,
  );
}

/** What a refused form began with; null where it does not say. */
export function begunWith(values: Readonly<Record<string, string>>): Begun | null {
  const version = Number(values['version'] || Number.NaN);
  if (!Number.isSafeInteger(version)) return null;
  try {
    return { version, draft: JSON.parse(values['began'] ?? 'null') as unknown };
  } catch {
    return { version, draft: null };
  }
}
