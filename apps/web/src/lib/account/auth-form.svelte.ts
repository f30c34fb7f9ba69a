/**
 * One submission at a time for sign-in and its kin: with script the browser
 * calls the API itself, without it the form goes to its action. Either way the
 * page shows the same refusal.
 */
import { tick } from 'svelte';
import { goto } from '$app/navigation';
import { match } from '$app/paths';
import { ApiError, type Failure } from '#lib/api/client.ts';
import { plainFailureOf } from './plain-failure.ts';

/** What the action of the same form has left in `form`, when it went without script. */
interface Answered {
  readonly failure?: Failure;
  readonly values?: Readonly<Record<string, string>>;
}

/** Gives the path to go on to; null stays on the page. */
export type Work = () => Promise<string | null>;

/** Which button was pressed: what came of it is told there. */
export type Way = 'fields' | 'passkey';

export class AuthForm {
  pending = $state(false);
  failure = $state<Failure | null>(null);
  way: Way = $state('fields');
  readonly #values: Readonly<Record<string, string>>;

  constructor(answered: Answered | null | undefined) {
    this.failure = answered?.failure ?? null;
    this.#values = answered?.values ?? {};
  }

  /** What had been typed into a field before the form went; never a password. */
  typed(field: string): string {
    return this.#values[field] ?? '';
  }

  /** The refusal as a whole, unless a field shows it, or the passkey's button. */
  get plainFailure(): Failure | null {
    return this.way === 'fields' ? plainFailureOf(this.failure) : null;
  }

  /** Messages for one field, from the last refusal. */
  errorsOf(field: string): string[] | undefined {
    return this.failure?.errors[field];
  }

  async submit(event: SubmitEvent, work: Work): Promise<void> {
    event.preventDefault();
    const form = event.target;
    await this.run(work);
    if (!this.failure || !(form instanceof HTMLElement)) return;
    // The message belongs to the field: whoever cannot see it hears it there.
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    // What no field shows stands above them all, a long way from the button on a telephone.
    else form.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }

  async run(work: Work, way: Way = 'fields'): Promise<void> {
    if (this.pending) return;
    this.pending = true;
    this.way = way;
    this.failure = null;
    try {
      const path = await work();
      if (path !== null) await leadTo(path);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.failure = error.failure;
      await tick();
    } finally {
      this.pending = false;
    }
  }
}

async function leadTo(path: string): Promise<void> {
  // A file, or what is on no page, is the browser's.
  if ((await match(path)) === null) location.replace(path);
  // In one: asked anew by itself, this page would lead whoever is signed in now to their own first page.
  else await goto(path, { replace: true, refreshAll: true });
}
