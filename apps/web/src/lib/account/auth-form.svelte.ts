/**
 * The form of sign-in, sign-up and similar pages. With script the browser calls the API itself; without script
 * the form goes to its action. The page shows the same failure either way.
 */
import { goto } from '$app/navigation';
import { match } from '$app/paths';
import type { Failure } from '#lib/api/client.ts';
import { Submission } from '#lib/forms/submission.svelte.ts';

/** What the form action returned. */
interface Answered {
  readonly failure?: Failure;
  readonly values?: Readonly<Record<string, string>>;
}

/** Returns the path to go on to; null stays on the page. */
export type Work = () => Promise<string | null>;

/** The button that was pressed; its failure is shown beside it. */
type Method = 'fields' | 'passkey';

export class AuthForm extends Submission {
  method: Method = $state('fields');
  readonly #values: Readonly<Record<string, string>>;

  constructor(answered: Answered | null | undefined) {
    super(answered?.failure ?? null);
    this.#values = answered?.values ?? {};
  }

  /** The value of a field that was sent without script; never a password. */
  typed(field: string): string {
    return this.#values[field] ?? '';
  }

  override get plainFailure(): Failure | null {
    return this.method === 'fields' ? super.plainFailure : null;
  }

  async submit(event: SubmitEvent, work: Work): Promise<void> {
    event.preventDefault();
    const form = event.target instanceof Element ? event.target : undefined;
    await this.attempt(work, 'fields', form);
    // A failure that no field shows stands above the fields, out of sight of the button on a phone.
    if (this.failure && !form?.querySelector('[aria-invalid="true"]'))
      form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }

  async attempt(work: Work, method: Method = 'fields', form?: Element): Promise<void> {
    if (this.pending) return;
    this.method = method;
    await this.run(async () => {
      const path = await work();
      if (path !== null) await leave(path);
    }, form);
  }
}

async function leave(path: string): Promise<void> {
  // The router does not know files.
  if ((await match(path)) === null) location.replace(path);
  // In one step: refreshed by itself first, this page would redirect the signed-in user to their start page.
  else await goto(path, { replace: true, refreshAll: true });
}
