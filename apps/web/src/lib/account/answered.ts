/**
 * What a form of the account page was answered when it went without script:
 * several forms share that page, and each shows its own refusal. Pure.
 */
import type { Failure } from '#lib/api/client.ts';

/** The forms that work without script; a hidden field `part` names the one that was sent. */
export const formParts = [
  'profile',
  'email',
  'keep-email',
  'letter',
  'password',
  'sessions',
] as const;
export type FormPart = (typeof formParts)[number];

export interface Answered {
  readonly failure: Failure | null;
  /** What had been typed; never a password. */
  readonly values: Readonly<Record<string, string>>;
}

const nothing: Answered = { failure: null, values: {} };

/** `form`: `page.form`, which may be another page's. */
export function answeredTo(part: FormPart, form: unknown): Answered {
  if (typeof form !== 'object' || form === null || !('failure' in form)) return nothing;
  const { failure, values } = form as Answered;
  return values['part'] === part ? { failure, values } : nothing;
}

/** The form of this name; null for none. */
export function knownPart(name: string | null | undefined): FormPart | null {
  return formParts.find((part) => part === name) ?? null;
}
