/**
 * One submission at a time for the forms of this group: with script the browser
 * calls the API itself, without it the form goes to its action. Either way the
 * page shows the same refusal.
 */
import { tick } from 'svelte';
import { goto, invalidateAll } from '$app/navigation';
import { ApiError, type Failure } from '#lib/api.ts';

export class AuthForm {
  pending = $state(false);
  failure = $state<Failure | null>(null);

  /** Messages for one field, from the last refusal. */
  errorsOf(field: string): string[] | undefined {
    return this.failure?.errors[field];
  }

  /** Runs `work`, which gives the path to go on to. */
  async submit(event: SubmitEvent, work: () => Promise<string>): Promise<void> {
    event.preventDefault();
    if (this.pending) return;
    const form = event.target;
    this.pending = true;
    this.failure = null;
    try {
      const path = await work();
      await invalidateAll();
      await goto(path, { replaceState: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
      // The message belongs to the field: whoever cannot see it hears it there.
      if (form instanceof HTMLElement)
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    } finally {
      this.pending = false;
    }
  }
}
