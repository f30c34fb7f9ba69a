/** That somebody else is signed in, and who, where the page that says so is theirs. */
import { m } from '#lib/paraglide/messages.js';
import type { Failure } from './api.ts';

export function anotherWords({ signed_in_as: name }: Pick<Failure, 'signed_in_as'>): string {
  return name === undefined ? m.ui_failure_another() : m.ui_failure_another_as({ name });
}
