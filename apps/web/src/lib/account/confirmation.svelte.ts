/**
 * Sensitive actions need a recent confirmation of the user's identity. `withConfirmation` runs the action; when
 * the API demands a confirmation, the dialog of ConfirmIdentity.svelte (one in each layout of signed-in pages)
 * asks for it and the action runs again.
 */
import { ApiError } from '#lib/api/client.ts';

type Settle = (confirmed: boolean) => void;

class ConfirmationRequest {
  /** Not null while a caller waits for the answer. */
  settle: Settle | null = $state.raw(null);

  /** Opens the dialog. An earlier request that is still open counts as declined. */
  ask(): Promise<boolean> {
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

export const confirmation = new ConfirmationRequest();

/**
 * Runs `action`, and again after a confirmation when the API demands one.
 * @throws {ApiError} as `action` does; `confirmation_required` when the user declined
 */
export async function withConfirmation<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const isDemanded = error instanceof ApiError && error.code === 'confirmation_required';
    if (!isDemanded || !(await confirmation.ask())) throw error;
    return action();
  }
}
