/**
 * Follows one exchange as it changes: by server-sent events, and by asking every
 * few seconds where those do not come through. Says only that something may
 * have changed; what it is now is read the ordinary way.
 */
import { followExchange } from '@cambist/contract/exchanges';
import { endpointUrl } from '#lib/api/client.ts';
import { whenSeenAgain } from '#lib/browser/polling.ts';

export interface Listener {
  /** The present version, undefined when it is not known, and what else the event says. */
  changed: (version: number | undefined, data?: unknown) => void;
  /** Whether changes are pushed. */
  live: (live: boolean) => void;
}

const askEveryMs = 8_000;
/** The stream is tried again after this many questions: about every minute. */
const questionsPerTry = 8;
/** The browser connects again by itself; after this many failures in a row we ask instead. */
const failuresAllowed = 3;

/** Starts to follow one exchange; call what it returns to stop. */
export function follow(number: string, listener: Listener): () => void {
  return followStream(endpointUrl(followExchange, { params: { number } }), listener);
}

/** Starts to follow a stream of changes; call what it returns to stop. */
export function followStream(address: string, listener: Listener): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;
  let failures = 0;
  let isAgain = false;

  function listen() {
    source?.close();
    source = new EventSource(address, { withCredentials: true });
    source.addEventListener('open', () => {
      failures = 0;
      clearInterval(timer);
      listener.live(true);
      // What happened while the stream was away.
      if (isAgain) listener.changed(undefined);
      isAgain = true;
    });
    source.addEventListener('exchange', (event: MessageEvent<string>) => {
      const data = readData(event.data);
      listener.changed(typeof data?.version === 'number' ? data.version : undefined, data);
    });
    source.addEventListener('error', () => {
      failures += 1;
      if (source?.readyState === EventSource.CLOSED || failures >= failuresAllowed) ask();
    });
  }

  function ask() {
    source?.close();
    failures = 0;
    clearInterval(timer);
    listener.live(false);
    let asked = 0;
    timer = setInterval(() => {
      asked += 1;
      if (asked % questionsPerTry === 0) listen();
      // A hidden page reads again when it is shown.
      else if (document.visibilityState === 'visible') listener.changed(undefined);
    }, askEveryMs);
  }

  /** The network may be back: the page tries the stream at once. */
  function seen() {
    listener.changed(undefined);
    if (source?.readyState === EventSource.CLOSED) listen();
  }

  const forget = whenSeenAgain(seen);
  listen();
  return () => {
    source?.close();
    clearInterval(timer);
    forget();
  };
}

/** Null for anything but JSON. */
function readData(text: string): { version?: unknown } | null {
  try {
    return JSON.parse(text) as { version?: unknown } | null;
  } catch {
    return null;
  }
}
