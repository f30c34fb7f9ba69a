/**
 * A form with script: the browser calls the API itself, the form shows that
 * work goes on, and a refusal lands at its field or above the form. It starts
 * from what the form action left when the page was posted without script.
 */
import { tick } from 'svelte';
import { ApiError, type Failure } from './api.ts';

export interface SubmissionOptions {
  /** Calls the API; what it throws becomes `failure`. */
  send: (form: FormData) => Promise<unknown>;
  /** `form?.failure` of the page, so that both ways show the same. */
  failure?: Failure | null | undefined;
}

export class Submission {
  pending = $state(false);
  failure = $state<Failure | null>(null);
  readonly #send: SubmissionOptions['send'];

  constructor(options: SubmissionOptions) {
    this.#send = options.send;
    this.failure = options.failure ?? null;
  }

  /** The API's messages for a field, for a control's `errors`. */
  errors(field: string): readonly string[] | undefined {
    return this.failure?.errors[field];
  }

  /** The failure, unless its messages all stand at fields: give it to ErrorNote. */
  get note(): Failure | null {
    return this.failure !== null && Object.keys(this.failure.errors).length === 0
      ? this.failure
      : null;
  }

  /** For `<form onsubmit={submission.submit}>`. */
  readonly submit = async (
    event: SubmitEvent & { currentTarget: HTMLFormElement },
  ): Promise<void> => {
    event.preventDefault();
    if (this.pending) return;
    const form = event.currentTarget;
    this.pending = true;
    this.failure = null;
    try {
      await this.#send(new FormData(form));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    } finally {
      this.pending = false;
    }
  };
}
