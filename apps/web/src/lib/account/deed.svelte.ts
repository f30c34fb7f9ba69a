/**
 * One deed of an account page: it runs once at a time, and its refusal stays
 * where it happened until the next try.
 */
import { tick } from 'svelte';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { plainFailureOf } from './plain-failure.ts';

export class Deed {
  pending = $state(false);
  failure = $state.raw<Failure | null>(null);

  /** With what the same form was refused when it went without script. */
  constructor(answered: Failure | null = null) {
    this.failure = answered;
  }

  /** Messages for one field, from the last refusal. */
  errorsOf(field: string): string[] | undefined {
    return this.failure?.errors[field];
  }

  /** The refusal as a whole, unless a field shows it; a passkey has no field. */
  get plainFailure(): Failure | null {
    return plainFailureOf(this.failure);
  }

  /** Answers whether `work` was done. With a form, a refused field gets the focus. */
  async run(work: () => Promise<unknown>, form?: HTMLFormElement): Promise<boolean> {
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
