/** A draft being edited: whether it differs from what was loaded, and saving it. */
import { tick } from 'svelte';
import { ApiError, type Failure } from '#lib/api.ts';

export class Editing<Draft extends object> {
  draft: Draft = $state() as Draft;
  pending = $state(false);
  failure = $state.raw<Failure | null>(null);
  #initial = $state.raw('');
  #saved = $state(false);

  constructor(initial: Draft) {
    this.draft = initial;
    this.#initial = JSON.stringify(initial);
  }

  get changed(): boolean {
    return !this.#saved && JSON.stringify(this.draft) !== this.#initial;
  }

  /** Someone else saved first: what is typed here was never written. */
  get isOutdated(): boolean {
    return this.failure?.code === 'version_conflict';
  }

  /** What was sent is kept as `kept`: that takes the form's place, unless more was typed meanwhile. */
  settle(sent: Draft, kept: Draft): void {
    const hasMore = JSON.stringify(this.draft) !== JSON.stringify(sent);
    this.#initial = JSON.stringify(kept);
    this.#saved = false;
    if (!hasMore) this.draft = kept;
  }

  async save(event: SubmitEvent, send: (draft: Draft) => Promise<unknown>): Promise<void> {
    event.preventDefault();
    await this.#try(event.currentTarget, async (draft) => {
      // Leaving the form is part of saving a new record; nothing is lost by it.
      this.#saved = true;
      try {
        await send(draft);
      } catch (error) {
        this.#saved = false;
        throw error;
      }
    });
  }

  /** Does something with the draft that saves nothing; its mistakes are told as at saving. */
  async attempt(form: HTMLFormElement, work: (draft: Draft) => Promise<unknown>): Promise<void> {
    await this.#try(form, work);
  }

  async #try(form: EventTarget | null, work: (draft: Draft) => Promise<unknown>): Promise<void> {
    if (this.pending) return;
    this.pending = true;
    this.failure = null;
    try {
      await work($state.snapshot(this.draft) as Draft);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
      if (form instanceof HTMLFormElement)
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    } finally {
      this.pending = false;
    }
  }
}
