/**
 * Caches a public answer that every page needs. It is never older than a second while the API
 * answers. A young value is returned at once and refreshed in the background; the last value stays
 * when the API is down.
 */

/** Returns null when the answer with this ETag is still current. */
export type FetchAnswer<T> = (etag: string | undefined) => Promise<Answer<T> | null>;

export interface Answer<T> {
  readonly value: T;
  readonly etag: string | undefined;
}

export interface RefreshingCache<T> {
  /** @throws the request's error when there is no value yet */
  get(): Promise<T>;
  /**
   * The current value, for a caller that may just have changed it.
   * @throws as `get` does
   */
  latest(): Promise<T>;
  /** The value may have changed: the next `get` waits for a request. */
  outdate(): void;
}

/** Younger values are not refreshed: at most two requests a second. */
const freshMs = 500;
/** Pause after a failed request. */
const pauseMs = 300;
/** Older values are refreshed before they are returned: a second, less the time of the request. */
const staleMs = 800;
/** A page waits at most this long for a refresh. */
const maxWaitMs = 1500;

/** `fetchAnswer` must not depend on a caller, whose failure would be everyone's. */
export function refreshingCache<T>(
  fetchAnswer: FetchAnswer<T>,
  now: () => number = () => performance.now(),
): RefreshingCache<T> {
  let cached: (Answer<T> & { readonly requestedAt: number }) | null = null;
  let running: Promise<void> | null = null;
  let failedAt = -Infinity;

  async function request(): Promise<void> {
    // Changes while the answer is on its way are not in it.
    const requestedAt = now();
    try {
      const answer = await fetchAnswer(cached?.etag);
      if (answer !== null) cached = { ...answer, requestedAt };
      else if (cached !== null) cached = { ...cached, requestedAt };
    } catch (error) {
      failedAt = now();
      throw error;
    }
  }

  /** One request at a time. */
  function refresh(): Promise<void> {
    running ??= request().finally(() => (running = null));
    return running;
  }

  const cache: RefreshingCache<T> = {
    async get() {
      if (cached === null) {
        await refresh();
        if (cached === null) throw new Error('The first request was answered with "not modified".');
        return (cached as Answer<T>).value;
      }
      const age = now() - cached.requestedAt;
      if (age < freshMs || now() - failedAt < pauseMs) return cached.value;
      const refreshed = refresh().catch(() => undefined);
      if (age >= staleMs) await Promise.race([refreshed, wait(maxWaitMs)]);
      return cached.value;
    },
    async latest() {
      // A running request may have left before the change.
      const before = Promise.resolve(running).catch(() => undefined);
      const refreshed = before.then(refresh).catch(() => undefined);
      await Promise.race([refreshed, wait(maxWaitMs)]);
      return cache.get();
    },
    outdate() {
      if (cached !== null) cached = { ...cached, requestedAt: -Infinity };
    },
  };
  return cache;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
