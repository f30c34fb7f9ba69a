/** The changes of all exchanges, by one stream for the whole tab, and browser notifications of new work. */
import { followDesk, type WorkQueue } from '@cambist/contract/desk';
import { goto } from '$app/navigation';
import { endpointUrl } from '#lib/api/client.ts';
import { followStream } from '#lib/exchange/follow.ts';
import { m } from '#lib/paraglide/messages.js';

interface DeskEvent {
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
      for (const each of listeners) each((data ?? null) as DeskEvent | null);
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

/** An approval may complete at once: only what stands a moment later is shown. */
const settleMs = 1_000;

const words: Record<WorkQueue, (about: { number: string }) => string> = {
  to_review: m.admin_notice_to_review,
  to_pay_out: m.admin_notice_to_pay_out,
  to_refund: m.admin_notice_to_refund,
};

/** `default`: not asked yet. `unsupported`: browsers of phones show them only by a service worker. */
export type NoticePermission = NotificationPermission | 'unsupported';

export function noticePermission(): NoticePermission {
  return 'Notification' in window ? Notification.permission : 'unsupported';
}

/** While this tab is open and not looked at. Call what it returns to stop. */
export function notifyOfWork(): () => void {
  const waiting = new Map<string, DeskEvent>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = followDeskEvents((event) => {
    if (event === null) return;
    const { number, state, queue, own } = event;
    if (waiting.get(number)?.state !== state) waiting.delete(number);
    if (queue === null || own) return;
    waiting.set(number, event);
    clearTimeout(timer);
    timer = setTimeout(() => {
      for (const each of waiting.values()) show(each);
      waiting.clear();
    }, settleMs);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

function show({ number, queue }: DeskEvent): void {
  if (queue === null || noticePermission() !== 'granted') return;
  if (document.visibilityState === 'visible') return;
  // Other tabs with the console show the same one, which the tag makes one of.
  const notice = new Notification(words[queue]({ number }), { tag: `${queue} ${number}` });
  notice.onclick = () => {
    window.focus();
    notice.close();
    void goto(`/admin/exchanges/${number}`);
  };
}
