/** The changes of all exchanges: one stream for all that follows them in this tab. */
import { followDesk, workQueues, type WorkQueue } from '@cambist/contract/desk';
import { endpointUrl } from '#lib/api/client.ts';
import { followStream } from '#lib/exchange/follow.ts';

export interface DeskEvent {
  readonly number: string;
  readonly state: string;
  /** The queue in which the exchange newly stands. */
  readonly queue: WorkQueue | null;
  /** By the reader's own act. */
  readonly own: boolean;
}

/** Null: something may have changed. */
type Listener = (event: DeskEvent | null) => void;

const listeners = new Set<Listener>();
let stop: (() => void) | null = null;

export function followDeskEvents(listener: Listener): () => void {
  listeners.add(listener);
  stop ??= followStream(endpointUrl(followDesk, {}), {
    changed(_version, data) {
      const event = isDeskEvent(data) ? data : null;
      for (const each of listeners) each(event);
    },
    live: () => undefined,
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
  };
}

function isDeskEvent(data: unknown): data is DeskEvent {
  const { number, queue } = (data ?? {}) as Partial<DeskEvent>;
  return (
    typeof number === 'string' && (queue === null || workQueues.some((each) => each === queue))
  );
}
