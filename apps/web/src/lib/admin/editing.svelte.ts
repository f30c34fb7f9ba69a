/** A draft being edited: whether it differs from what was loaded, and saving it. */
import { tick } from 'svelte';
import { ApiError, type Failure } from '#lib/api/client.ts';

export class Editing<Draft extends object> {
  draft: Draft = $state() as Draft;
  pending = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** What the draft is compared with. */
  protected initial: Draft = $state.raw() as Draft;
  #saved = $state(false);

  constructor(initial: Draft) {
    this.draft = initial;
    this.initial = initial;
  }

  get changed(): boolean {
    return !this.#saved && !this.same(this.draft, this.initial);
  }

  /** What was sent is kept as `kept`: that takes the form's place, unless more was typed meanwhile. */
  settle(sent: Draft, kept: Draft): void {
    const hasMore = JSON.stringify(this.draft) !== JSON.stringify(sent);
    this.initial = kept;
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

  /** Does something with the draft and answers whether it was done; its mistakes are told as at saving. */
  attempt(
    form: HTMLFormElement | undefined,
    work: (draft: Draft) => Promise<unknown>,
  ): Promise<boolean> {
    return this.#try(form, work);
  }

  protected same(one: Draft, other: Draft): boolean {
    return JSON.stringify(one) === JSON.stringify(other);
  }

  async #try(
    form: EventTarget | null | undefined,
    work: (draft: Draft) => Promise<unknown>,
  ): Promise<boolean> {
    if (this.pending) return false;
    this.pending = true;
    this.failure = null;
    try {
      await work($state.snapshot(this.draft) as Draft);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
      if (form instanceof HTMLFormElement)
        form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return false;
    } finally {
      this.pending = false;
    }
  }
}
