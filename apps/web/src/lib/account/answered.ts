/** Several forms share the account page; each shows the answer that its own form action got without script. Pure. */
import type { Failure } from '#lib/api/client.ts';

/** The forms that work without script. Their hidden field `part` names the one that was sent. */
export const formParts = [
  'profile',
  'email',
  'keep-email',
  'resend',
  'password',
  'sessions',
] as const;
export type FormPart = (typeof formParts)[number];

export interface Answered {
  readonly failure: Failure | null;
  /** The values that were sent; never a password. */
  readonly values: Readonly<Record<string, string>>;
}

const nothing: Answered = { failure: null, values: {} };

/** `form`: `page.form`, which may belong to another page. */
export function answeredTo(part: FormPart, form: unknown): Answered {
  if (typeof form !== 'object' || form === null || !('failure' in form)) return nothing;
  const { failure, values } = form as Answered;
  return values['part'] === part ? { failure, values } : nothing;
}

/** The form of this name; null for any other name. */
export function knownPart(name: string | null | undefined): FormPart | null {
  return formParts.find((part) => part === name) ?? null;
}
