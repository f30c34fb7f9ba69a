/** Asks before what was typed and not yet saved is left behind. */
import { beforeNavigate } from '$app/navigation';
import { m } from '#lib/paraglide/messages.js';

interface Leaving {
  /** The question; that typed words would be lost, unless told otherwise. */
  words?: () => string;
  /** What would be lost survives as long as the page is the same, whatever its query. */
  keptOnPage?: boolean;
  /** Whether nothing is lost by going there. */
  survives?: (to: URL) => boolean;
}

/** One question for one way out, however many parts of a page ask. */
const asked = new WeakSet<object>();

/** For a component's script: `isUnsaved` is asked whenever somebody goes. */
export function askBeforeLeaving(
  isUnsaved: () => boolean,
  { words = m.admin_form_leave, keptOnPage = false, survives }: Leaving = {},
): void {
  beforeNavigate((navigation) => {
    const { from, to, willUnload } = navigation;
    if (!isUnsaved() || asked.has(navigation)) return;
    if (keptOnPage && !willUnload && to?.url.pathname === from?.url.pathname) return;
    if (!willUnload && to && survives?.(to.url)) return;
    asked.add(navigation);
    // Out of the site it is the browser that asks.
    if (willUnload || !confirm(words())) navigation.cancel();
  });
}

/**
 * After a Back that was cancelled the browser has left already, and comes back in a while: who goes in the
 * history before that goes from the wrong place, or not at all. Waits no longer than the way is wanted.
 */
export async function backAt(page: URL | undefined, isWanted: () => boolean): Promise<void> {
  while (page && isWanted() && location.href !== page.href) {
    await new Promise((done) => addEventListener('popstate', done, { once: true }));
  }
}
