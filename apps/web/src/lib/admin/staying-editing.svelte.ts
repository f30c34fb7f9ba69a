/**
 * A draft being edited that a reload and a new sign-in do not take away. It is put back as long as
 * the record is the one that it was typed for: once somebody has saved another, that is said, and
 * nobody's change is written over.
 */
import { onMount } from 'svelte';
import { beforeNavigate } from '$app/navigation';
import { Editing } from './editing.svelte.ts';
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts';
import { keptOf, survivesAt, withTyped } from './staying.ts';

export interface Stays<Draft> {
  /** What the browser keeps it under: another record's, or another person's, is another name. */
  readonly name: string;
  /** Of the record, as the page has it now. */
  readonly version: () => number;
  /** A draft of what was kept, with rows of now. */
  readonly revive: (kept: Draft) => Draft;
}

export class StayingEditing<Draft extends object> extends Editing<Draft> {
  /** What stands here was typed before the page was left, and put back. */
  isBack = $state(false);
  /** It was not put back: the record is another one by now. */
  isGone = $state(false);
  /** What is typed outlives the page. */
  isKept = $state(false);
  readonly #stays: Stays<Draft> | null;
  #looked = false;
  #survives = false;

  constructor(initial: Draft, stays: Stays<Draft> | null) {
    super(initial);
    this.#stays = stays;
  }

  /** For a component's script: keeps what is typed as long as somebody may come back to it. */
  attend(): void {
    const stays = this.#stays;
    if (stays === null) return;
    onMount(() => {
      this.#restore(stays);
      // Left otherwise, whoever left was asked, and gave it up.
      return () => {
        if (!this.#survives) forgetDraft(stays.name);
      };
    });
    $effect(() => {
      const kept = { version: stays.version(), draft: $state.snapshot(this.draft) };
      const { changed } = this;
      if (!this.#looked) return;
      this.isKept = changed && keepDraft(stays.name, kept);
      if (!changed) forgetDraft(stays.name);
    });
    beforeNavigate(({ to }) => {
      this.#survives = to !== null && this.survives(to.url);
    });
  }

  /** Whether nothing is lost by going there. */
  survives(to: URL): boolean {
    return survivesAt(location, to, this.isKept);
  }

  /** What was put back is not wanted. */
  throwAway(): void {
    this.draft = this.initial;
    this.isBack = false;
  }

  #restore(stays: Stays<Draft>): void {
    const kept = keptOf(keptDraft(stays.name), this.initial);
    this.#looked = true;
    if (kept === null) return;
    this.isGone = kept.version !== stays.version();
    if (this.isGone) forgetDraft(stays.name);
    else {
      // Typed before the script had come: each field of that goes over what was kept.
      const typed = $state.snapshot(this.draft) as Draft;
      this.draft = withTyped(stays.revive(kept.draft), this.initial, typed);
      this.isBack = true;
    }
  }
}
