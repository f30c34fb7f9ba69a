/**
 * Whether the person whom this page was made for is away: a refusal has told that somebody else is
 * signed in in this browser (person.ts). What it said holds until they are back, or the other is gone.
 */
import { untrack } from 'svelte';
import type { Failure } from './api.ts';
import { isAnother } from './person.ts';

class Away {
  /** Somebody else was met, and the page's own person not seen since. */
  now = $state(false);
  /** Said above everything: anew at each refusal, however often it was closed. */
  said = $state(false);
  /** How often they came back, or the other was gone. */
  returns = $state(0);

  begin = (): void => {
    this.now = true;
    this.said = true;
  };

  /** Found by a look, which may be one of many: said once. */
  meet = (): void => {
    if (!this.now) this.begin();
  };

  end = (): void => {
    if (!this.now) return;
    this.now = false;
    this.said = false;
    this.returns += 1;
  };
}

export const away = new Away();

/** The refusal as long as it is true: one for the sake of somebody else goes when the person is back. */
export function whileTrue(failure: () => Failure | null | undefined): () => Failure | null {
  const came = $derived.by(() => {
    const told = failure() ?? null;
    return { told, returns: untrack(() => away.returns) };
  });
  const isPast = $derived(
    came.told !== null && isAnother(came.told) && came.returns < away.returns,
  );
  return () => (isPast ? null : came.told);
}
