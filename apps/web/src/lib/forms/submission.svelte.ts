/** One submission of a form or button: it runs once at a time and keeps the last failure. */
import { tick } from 'svelte';
import { ApiError, type Failure } from '#lib/api/client.ts';

export class Submission {
  pending = $state(false);
  failure: Failure | null = $state.raw(null);

  /** `answered` is the failure of the form action that ran without script. */
  constructor(answered: Failure | null = null) {
    this.failure = answered;
  }

  /** Messages for one field, from the last failure. */
  errorsOf(field: string): string[] | undefined {
    return this.failure?.errors[field];
  }

  /** The failure, unless a field shows it. A passkey has no field. */
  get plainFailure(): Failure | null {
    const fields = Object.keys(this.failure?.errors ?? {});
    return fields.some((field) => field !== 'passkey') ? null : this.failure;
  }

  /** Returns whether `work` succeeded. After a failure the first invalid field of `form` gets the focus. */
  async run(work: () => Promise<unknown>, form?: Element): Promise<boolean> {
    if (this.pending) return false;
    this.pending = true;
    this.failure = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
      form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return false;
    } finally {
      this.pending = false;
    }
  }
}
