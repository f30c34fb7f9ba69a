/**
 * Dangerous acts need a fresh confirmation of who one is. `withConfirmation`
 * does the act; where the service demands the confirmation first, the dialog of
 * ConfirmIdentity.svelte (one in each frame of signed-in pages) asks for it and
 * the act is done once more.
 */
import { ApiError } from '#lib/api/client.ts';

type Settle = (confirmed: boolean) => void;

class Asking {
  /** Someone waits for the answer while this is not null. */
  settle: Settle | null = $state.raw(null);

  ask(): Promise<boolean> {
    // Only one question stands at a time: the older one counts as declined.
    this.settle?.(false);
    return new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  answer(confirmed: boolean): void {
    const settle = this.settle;
    this.settle = null;
    settle?.(confirmed);
  }
}

export const asking = new Asking();

/**
 * Does `act`, asking for a fresh confirmation when it is refused for want of one.
 * Throws ApiError like the act itself; `confirmation_required` when the person declined.
 */
export async function withConfirmation<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const demanded = error instanceof ApiError && error.code === 'confirmation_required';
    if (!demanded || !(await asking.ask())) throw error;
    return act();
  }
}
