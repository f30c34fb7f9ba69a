/**
 * A public answer that every page needs, kept in memory and asked for again so
 * that it is never older than a second where the service answers. Pages don't
 * wait while it is young: one of them asks in passing whether it still holds.
 * What is known is kept on when the service is away.
 */

/** Asks whether the answer still holds: null where it does. `etag` is of the answer that is known. */
export type Ask<T> = (etag: string | undefined) => Promise<Answer<T> | null>;

export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
}

export interface FreshlyKept<T> {
  /** @throws what the question throws, where nothing is known yet. */
  get(): Promise<T>;
  /** As it is by now, for whoever may just have changed it. @throws as `get` does. */
  latest(): Promise<T>;
}

/** Younger than this it is not asked for again, however many pages come: twice a second at most. */
const restMs = 500;
/** After a question without an answer no other is asked for this long. */
const pauseMs = 300;
/** Older than this it is asked for before it is shown: a second, less the way to the service. */
const oldMs = 800;
/** A page waits no longer for news of what it has already. */
const patienceMs = 1500;

/** `ask` is the same for all who come: none of them may be the reason that it gets no answer. */
export function freshlyKept<T>(
  ask: Ask<T>,
  now: () => number = () => performance.now(),
): FreshlyKept<T> {
  let known: (Answer<T> & { readonly askedAt: number }) | null = null;
  let asking: Promise<void> | null = null;
  let failedAt = -Infinity;

  async function renew(): Promise<void> {
    // What changes while the answer is on its way is not in it.
    const askedAt = now();
    try {
      const answer = await ask(known?.etag);
      if (answer !== null) known = { ...answer, askedAt };
      else if (known !== null) known = { ...known, askedAt };
    } catch (error) {
      failedAt = now();
      throw error;
    }
  }

  /** One question at a time, whoever asks. */
  function renewed(): Promise<void> {
    asking ??= renew().finally(() => (asking = null));
    return asking;
  }

  const kept: FreshlyKept<T> = {
    async get() {
      if (known === null) {
        await renewed();
        if (known === null) throw new Error('Nothing was known, and it still held.');
        return (known as Answer<T>).value;
      }
      const age = now() - known.askedAt;
      if (age < restMs || now() - failedAt < pauseMs) return known.value;
      const news = renewed().catch(() => undefined);
      if (age >= oldMs) await Promise.race([news, waited(patienceMs)]);
      return known.value;
    },
    async latest() {
      // A question that is on its way may have left before the change.
      const before = Promise.resolve(asking).catch(() => undefined);
      const news = before.then(renewed).catch(() => undefined);
      await Promise.race([news, waited(patienceMs)]);
      return kept.get();
    },
  };
  return kept;
}

function waited(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
