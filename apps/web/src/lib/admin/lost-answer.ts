/**
 * Deeds that would be refused a second time. Where their answer is lost, the record is read anew:
 * what it says was done is the answer, and nobody else is blamed for it at the next press.
 */
import { ApiError } from '#lib/api.ts';
import { isUnsure } from '#lib/unsure.ts';

export class LostAnswer {
  /** An answer is missing, so that it may have been done. */
  #isOpen = false;

  /**
   * Does it. While an answer is missing, `find` reads what became of it: null where it was not done.
   * @throws {ApiError}
   */
  async orFind<Done>(work: () => Promise<Done>, find: () => Promise<Done | null>): Promise<Done> {
    try {
      const done = await work();
      this.#isOpen = false;
      return done;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isUnsure(error)) this.#isOpen = true;
      const found = this.#isOpen ? await orNull(find) : null;
      if (found === null) throw error;
      this.#isOpen = false;
      return found;
    }
  }

  /** Deletes it; where there is nothing to `read` any more, it is gone. @throws {ApiError} */
  async orGone(remove: () => Promise<unknown>, read: () => Promise<unknown>): Promise<void> {
    await this.orFind<true>(
      async () => {
        await remove();
        return true;
      },
      () => isGone(read),
    );
  }
}

/** Unread, nobody knows: the deed's own refusal is told. */
async function orNull<Found>(find: () => Promise<Found | null>): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

async function isGone(read: () => Promise<unknown>): Promise<true | null> {
  try {
    await read();
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return true;
    throw error;
  }
}
