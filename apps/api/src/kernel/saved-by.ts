/** Whose a working copy is, as its row has it. */
import type { Actor } from './actor.ts';
import type { Clock } from './clock.ts';

/** Of now; `system`, which writes what a new desk begins with, has no name. */
export function savedBy({ clock }: { readonly clock: Clock }, actor: Actor | 'system') {
  const who = actor === 'system' ? null : actor;
  return { saved_at: clock(), saved_by: who?.id ?? null, saved_by_name: who?.name ?? null };
}
