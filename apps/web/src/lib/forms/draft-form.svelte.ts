/**
 * The form of one saved record: its values, whether they differ from what is saved, and saving
 * them under the record's version. Unsaved values outlive a reload and a sign-in in the tab's
 * sessionStorage. When another save came first, the user reloads or overwrites; nothing is merged.
 */
import { onMount, untrack } from 'svelte';
import type { Conflict } from '@cambist/contract/wire';
import { beforeNavigate, goto } from '$app/navigation';
import { Submission } from '#lib/forms/submission.svelte.ts';
import { ApiError } from '#lib/api/client.ts';
import { readCopy, removeCopy, storeCopy } from '#lib/browser/tab-copy.ts';
import { m } from '#lib/paraglide/messages.js';

export interface Saved<Values> {
  readonly values: Values;
  /** 0 for a record that was never saved. */
  readonly version: number;
}

/** @returns what the service stored; nothing where the page is left after saving. */
type Send<Values> = (values: Values, version: number) => Promise<Saved<Values> | undefined>;

interface Options<Values> {
  /** The key of the copy in sessionStorage: the record and the user. Null keeps no copy, as for secrets. */
  readonly name: string | null;
  /** Saves the values. @throws {ApiError} */
  readonly send: Send<Values>;
  /** The record as it is saved now, for "Reload". @throws {ApiError} */
  readonly read?: () => Promise<Saved<Values>>;
  /** The request body of these values. Values with the same body count as unchanged. */
  readonly body?: (values: Values) => unknown;
  /** Checks a copy, which an earlier release may have written. Null discards it. Unless given, it needs the same fields. */
  readonly restore?: (copy: unknown) => Values | null;
  /** Saves by itself so long after the last change, in milliseconds. */
  readonly autosaveMs?: number;
}

export class DraftForm<Values extends object> extends Submission {
  values: Values = $state() as Values;
  /** The version that the values are based on. */
  version: number = $state.raw(0);
  /** Another save that came first, until the user reloads or overwrites. */
  conflict: Conflict | null = $state.raw(null);
  /** The values were restored from the copy of an earlier visit. */
  restored = $state(false);
  /** Counts how often other values took the place of those in the form. */
  replaced = $state(0);
  /** What is saved, as far as this page knows. */
  saved: Values = $state.raw() as Values;
  readonly #options: Options<Values>;
  #element: HTMLFormElement | undefined;
  #running: Promise<boolean> | null = null;
  #isSaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAttended = false;

  constructor({ values, version }: Saved<Values>, options: Options<Values>) {
    super();
    this.values = values;
    this.saved = values;
    this.version = version;
    this.#options = options;
  }

  get changed(): boolean {
    return !this.#same(this.values, this.saved);
  }

  /** An attachment for the `<form>`: after a refusal its first invalid field gets the focus. */
  readonly element = (form: HTMLFormElement): void => {
    this.#element = form;
  };

  /** Call once while the component initialises: restores the copy, keeps it, and asks before leaving. */
  attend(): void {
    onMount(() => {
      this.#restore();
      this.#isAttended = true;
      return () => clearTimeout(this.#timer);
    });
    $effect(() => {
      // Reads all values, so that this runs after each change.
      const { changed, version } = this;
      const values = $state.snapshot(this.values) as Values;
      if (!this.#isAttended) return;
      if (changed) this.#keepCopy({ version, values });
      else this.#dropCopy();
      untrack(() => (changed ? this.#autosaveLater() : this.#takeBack()));
    });
    beforeNavigate((navigation) => {
      const { from, to, willUnload } = navigation;
      if (!this.changed || (to && !willUnload && isKeptAt(to.url, from?.url))) return;
      // Out of the site the browser asks, after `beforeunload` was cancelled.
      if (willUnload || !to) navigation.cancel();
      else if (this.#options.autosaveMs !== undefined && this.conflict === null) {
        navigation.cancel();
        void this.submit().then((isSaved) => {
          if (isSaved || this.#mayLeave()) void goto(to.url);
        });
      } else if (!this.#mayLeave()) navigation.cancel();
    });
  }

  /**
   * Sends the values; another `send`, which publishes, waits for a save that is under way. Answers
   * whether they are saved; otherwise `failure` or `conflict` says why.
   */
  submit(send: Send<Values> = this.#options.send): Promise<boolean> {
    const isSave = send === this.#options.send;
    if (this.#running && this.#isSaving && !isSave)
      return this.#running.then((isSaved) => isSaved && this.submit(send));
    if (!this.#running) this.#isSaving = isSave;
    this.#running ??= this.#attempt(this.version, send).finally(() => (this.#running = null));
    return this.#running;
  }

  /** A handler of the form's `submit`; `saved` follows where it was saved. */
  onsubmit(saved?: () => unknown): (event: SubmitEvent) => Promise<void> {
    return async (event) => {
      event.preventDefault();
      if (await this.submit()) saved?.();
    };
  }

  /** Saves until nothing is unsaved, also what was typed meanwhile. Answers as `submit`. */
  async saveAll(): Promise<boolean> {
    while (this.changed) if (!(await this.submit())) return false;
    return true;
  }

  /** Saves over the save that came first. */
  overwrite(): Promise<boolean> {
    if (this.conflict !== null) this.version = this.conflict.version;
    return this.submit();
  }

  /** Gives up the unsaved values for what is saved now. */
  async reload(): Promise<void> {
    const { read } = this.#options;
    if (read === undefined) return;
    try {
      this.#replace(await read());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
    }
  }

  /** Gives up the unsaved values. */
  discard(): void {
    this.#replace({ values: this.saved, version: this.version });
  }

  /** The page was loaded again: takes a later version, unless there are unsaved changes. */
  load(saved: Saved<Values>): void {
    untrack(() => {
      if (this.pending || saved.version <= this.version) return;
      if (this.#same(saved.values, this.saved)) this.version = saved.version;
      else if (!this.changed) this.#replace(saved);
    });
  }

  /** The record is gone, or its page is left on purpose: nothing is kept. */
  end(): void {
    clearTimeout(this.#timer);
    this.saved = $state.snapshot(this.values) as Values;
    this.#dropCopy();
  }

  async #attempt(version: number, send: Send<Values>): Promise<boolean> {
    clearTimeout(this.#timer);
    const values = $state.snapshot(this.values) as Values;
    this.conflict = null;
    return this.run(async () => {
      try {
        this.#settle(values, (await send(values, version)) ?? { values, version });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'version_conflict')
          this.conflict = await this.#conflictOf(error);
        throw error;
      }
    }, this.#element);
  }

  /** What was typed while the values were sent stays in the form, unsaved. */
  #settle(sent: Values, saved: Saved<Values>): void {
    const isLater = JSON.stringify(this.values) !== JSON.stringify(sent);
    this.version = saved.version;
    this.saved = saved.values;
    this.restored = false;
    if (isLater || JSON.stringify(saved.values) === JSON.stringify(sent)) return;
    this.values = saved.values;
    this.replaced += 1;
  }

  async #conflictOf({ failure: { conflict } }: ApiError): Promise<Conflict | null> {
    if (conflict || this.#options.read === undefined) return conflict ?? null;
    try {
      const { version } = await this.#options.read();
      return { version, saved_by: null, saved_at: null };
    } catch (error) {
      if (error instanceof ApiError) return null;
      throw error;
    }
  }

  #replace({ values, version }: Saved<Values>): void {
    this.values = values;
    this.saved = values;
    this.version = version;
    this.failure = null;
    this.conflict = null;
    this.restored = false;
    this.replaced += 1;
  }

  #autosaveLater(): void {
    const { autosaveMs } = this.#options;
    clearTimeout(this.#timer);
    if (autosaveMs === undefined || this.conflict !== null) return;
    this.#timer = setTimeout(() => void this.submit(), autosaveMs);
  }

  /** The values are again what is saved: a refusal of what was typed between no longer matters. */
  #takeBack(): void {
    clearTimeout(this.#timer);
    if (!this.pending && this.conflict === null) this.failure = null;
  }

  #same(one: Values, other: Values): boolean {
    const { body = (values) => values } = this.#options;
    return JSON.stringify(body(one)) === JSON.stringify(body(other));
  }

  #mayLeave(): boolean {
    if (!confirm(m.admin_form_leave())) return false;
    this.end();
    return true;
  }

  #restore(): void {
    const { name, restore = (copy) => (hasSameKeys(copy, this.saved) ? copy : null) } =
      this.#options;
    if (name === null) return;
    const copy = savedCopy(name);
    const values = copy === null ? null : restore(copy.values);
    if (copy === null || values === null || this.#same(values, this.saved)) return;
    // Based on the version it was typed for: a later save is a conflict, never overwritten unseen.
    this.version = Math.min(copy.version, this.version);
    this.values = values;
    this.replaced += 1;
    this.restored = true;
  }

  #keepCopy(copy: Saved<Values>): void {
    if (this.#options.name !== null) storeCopy(this.#options.name, copy);
  }

  #dropCopy(): void {
    if (this.#options.name !== null) removeCopy(this.#options.name);
  }
}

function hasSameKeys<Values extends object>(copy: unknown, like: Values): copy is Values {
  const keys = (of: object) => Object.keys(of).toSorted().join();
  return keys(Object(copy) as object) === keys(like);
}

function savedCopy(name: string): Saved<unknown> | null {
  const copy = readCopy(name) as Saved<unknown> | undefined;
  return copy && typeof copy.version === 'number' && copy.values ? copy : null;
}

/** The same page keeps the form, and sign-in leads back to its copy. */
function isKeptAt(to: URL, from: URL | undefined): boolean {
  if (from === undefined) return false;
  if (to.pathname === from.pathname) return true;
  return to.pathname === '/signin' && to.searchParams.get('next') === from.pathname + from.search;
}
