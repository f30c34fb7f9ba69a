/**
 * A draft being edited that nothing takes away: the browser keeps what is typed
 * through a reload and a new sign-in, and where somebody saved meanwhile the two
 * are compared field by field. Nothing is saved but by its writer.
 */
import { onMount, untrack } from 'svelte';
import { beforeNavigate } from '$app/navigation';
import { ApiError, type Failure } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import {
  chosenDraft,
  differences,
  laidOver,
  sameDraft,
  type Difference,
  type Leaf,
  type Side,
} from './comparison.ts';
import { Editing } from './editing.svelte.ts';
import { forgetDraft, keepDraft, keptDraft } from './kept-draft.ts';
import { begunWith } from './sent-form.ts';
import { survivesAt } from './staying.ts';

/** What the service has, as a draft. */
export interface Saved<Draft> {
  readonly draft: Draft;
  readonly version: number;
  /** Who saved it; null where nobody is named. */
  readonly by: string | null;
  /** Whoever edits here has saved it, in another tab or elsewhere. */
  readonly isOwn: boolean;
  /** ISO 8601; null for what was never saved. */
  readonly at: string | null;
}

interface Habits<Draft> {
  /** What the browser keeps it under: another record's, or another person's, is another name. */
  readonly name: string;
  readonly leaves: readonly Leaf<Draft>[];
  /** What the service has by now. @throws {ApiError} */
  readonly fetch: () => Promise<Saved<Draft>>;
  /** A draft of what was kept, which may be of an earlier shape. */
  readonly revive: (kept: unknown) => Draft;
}

export class KeptEditing<Draft extends object> extends Editing<Draft> {
  /** Of what it was begun with: saved under it, nobody's change is overwritten unseen. */
  version: number = $state.raw(0);
  /** What somebody has saved meanwhile, until it is decided what goes on. */
  theirs: Saved<Draft> | null = $state.raw(null);
  /** What stands here was typed before the page was left, and put back. */
  isBack = $state(false);
  /** How often the draft was put in place as a whole. */
  begun = $state(0);
  readonly #habits: Habits<Draft>;
  #isKept = false;
  #survives = false;
  #looked = false;

  constructor(saved: Pick<Saved<Draft>, 'draft' | 'version'>, habits: Habits<Draft>) {
    super(saved.draft);
    this.version = saved.version;
    this.#habits = habits;
  }

  /** What the service has of it, as far as is known here. */
  get began(): Draft {
    return this.initial;
  }

  /** What the form calls the fields that are not saved as they stand. */
  get unsaved(): string[] {
    const { draft, initial } = this;
    const { leaves } = this.#habits;
    return leaves.filter((leaf) => !sameDraft([leaf], initial, draft)).map(({ label }) => label);
  }

  /** A form without script was refused, and the page came anew with what is saved by now. */
  refused(failure: Failure, values: Readonly<Record<string, string>>, saved: Saved<Draft>): void {
    this.failure = failure;
    const begun = begunWith(values);
    // What was typed was made of that version: sent as of a later one it would replace it unseen.
    if (begun !== null && begun.version !== saved.version) {
      this.version = begun.version;
      if (begun.draft !== null) this.initial = this.#habits.revive(begun.draft);
    }
    if (failure.code === 'version_conflict') this.theirs = saved;
  }

  /** For a component's script: keeps what is typed as long as somebody may come back to it. */
  attend(): void {
    onMount(() => {
      this.#restore();
      // Left otherwise, whoever left was asked, and gave it up.
      return () => {
        if (!this.#survives) this.#forget();
      };
    });
    $effect(() => {
      if (!this.#looked) return;
      if (this.changed) this.#keep();
      else this.#forget();
    });
    beforeNavigate(({ to }) => {
      this.#survives = to !== null && this.survives(to.url);
    });
  }

  /** Whether nothing is lost by going there: the same page stays as it is, and sign-in leads back to it. */
  survives(to: URL): boolean {
    return survivesAt(location, to, this.#isKept);
  }

  /** The page knows of a later state: it takes the form's place, unless something is typed in it. */
  meet(saved: Saved<Draft>): void {
    untrack(() => this.#meet(saved));
  }

  #meet(saved: Saved<Draft>): void {
    if (this.pending || saved.version <= this.version) return;
    if (this.same(saved.draft, this.initial)) this.version = saved.version;
    else if (this.changed) void this.#overtaken(saved);
    else this.begin(saved);
  }

  /** What the service has takes the form's place. */
  begin(saved: Pick<Saved<Draft>, 'draft' | 'version'>): void {
    this.version = saved.version;
    this.initial = saved.draft;
    this.#put(saved.draft);
    this.#decided();
  }

  /** What was sent is saved as this. */
  took(sent: Draft, { draft, version }: Pick<Saved<Draft>, 'draft' | 'version'>): void {
    this.version = version;
    this.settle(sent, draft);
    this.begun += 1;
    this.#decided();
  }

  /** Where what is typed here and what was saved meanwhile differ. */
  compared(): Difference[] {
    if (this.theirs === null) return [];
    const drafts = { before: this.initial, mine: this.draft, theirs: this.theirs.draft };
    return differences(this.#habits.leaves, drafts);
  }

  /**
   * One draft is made of both; it is saved when its writer says so. Answers false, and does
   * nothing, where `version`, of which the sides were chosen, is no longer what was saved last.
   */
  choose(sides: Readonly<Record<string, Side>>, version: number): boolean {
    if (this.theirs?.version !== version) return false;
    const { draft: theirs } = this.theirs;
    const mine = $state.snapshot(this.draft) as Draft;
    this.begin({ draft: theirs, version });
    this.#put(chosenDraft(this.#habits.leaves, { mine, theirs }, sides));
    return true;
  }

  /** Nothing more is to be saved: what stands here goes with its page. */
  end(): void {
    this.initial = $state.snapshot(this.draft) as Draft;
    this.#forget();
  }

  /** What was put back is not wanted. */
  throwAway(): void {
    this.begin({ draft: this.initial, version: this.version });
  }

  override attempt(
    form: HTMLFormElement | undefined,
    work: (draft: Draft) => Promise<unknown>,
  ): Promise<boolean> {
    if (!this.pending) this.theirs = null;
    return super.attempt(form, async (draft) => {
      try {
        await work(draft);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'version_conflict') throw error;
        const saved = await this.#habits.fetch();
        const isLost = !this.same(saved.draft, this.initial) && !this.same(saved.draft, draft);
        if (isLost) {
          this.theirs = saved;
          throw error;
        }
        // Only the version is another one: nobody's words are written over.
        this.version = saved.version;
        await work(draft);
      }
    });
  }

  protected override same(one: Draft, other: Draft): boolean {
    return sameDraft(this.#habits.leaves, one, other);
  }

  #put(draft: Draft): void {
    this.draft = draft;
    this.begun += 1;
  }

  async #overtaken(saved: Saved<Draft>): Promise<void> {
    this.theirs = saved;
    this.failure = {
      status: 409,
      code: 'version_conflict',
      message: m.admin_outdated_title(),
      errors: {},
      request_id: null,
    };
    if (saved.by !== null || saved.isOwn) return;
    // What a page comes with does not name everybody.
    const named = await this.#habits.fetch().catch(() => saved);
    if (this.theirs === saved) this.theirs = named;
  }

  #decided(): void {
    this.theirs = null;
    this.failure = null;
    this.isBack = false;
  }

  #keep(): void {
    const { version, initial } = this;
    const draft = $state.snapshot(this.draft);
    this.#isKept = keepDraft(this.#habits.name, { version, initial, draft });
  }

  #forget(): void {
    this.#isKept = false;
    forgetDraft(this.#habits.name);
  }

  #restore(): void {
    const kept = keptDraft(this.#habits.name) as Record<string, unknown> | null;
    this.#looked = true;
    if (typeof kept?.['version'] !== 'number') return;
    const { leaves, revive } = this.#habits;
    const [draft, initial] = [revive(kept['draft']), revive(kept['initial'])];
    if (this.same(draft, this.initial) || this.same(draft, initial)) return;
    // Typed before the script had come: each field of that goes over what was kept.
    const typed = $state.snapshot(this.draft) as Draft;
    const all = laidOver(leaves, { before: this.initial, typed, under: draft });
    const { theirs, failure, version } = this;
    // Of the older of the two, so that nothing saved after it is overwritten unseen.
    if (kept['version'] < version) this.begin({ draft: initial, version: kept['version'] });
    this.#put(all);
    [this.theirs, this.failure] = [theirs, failure];
    this.isBack = this.changed;
  }
}
