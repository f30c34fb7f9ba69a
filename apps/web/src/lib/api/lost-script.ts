/**
 * A page's script that cannot be fetched: without a connection, or because the
 * site was renewed meanwhile. The way there would end without a word.
 */
import { onMount } from 'svelte';
import { afterNavigate, beforeNavigate } from '$app/navigation';
import { m } from '#lib/paraglide/messages.js';
import { toast } from '#lib/browser/toasts.svelte.ts';

// As Chromium, Firefox and Safari say it, in this order.
const lost =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed/i;

export function isLostScript(reason: unknown): boolean {
  return reason instanceof Error && lost.test(reason.message);
}

/** Says that there is no connection, or goes on by loading the whole page. For the outermost layout. */
export function meetLostScripts(): void {
  let wanted: URL | string | null = null;
  beforeNavigate(({ to, willUnload }) => {
    wanted = willUnload ? null : (to?.url ?? null);
  });
  // The router asks for what it needs to know of a page before it says that it goes there.
  function follow({ target }: MouseEvent) {
    const link = target instanceof Element ? target.closest('a') : null;
    wanted = link?.href ?? null;
  }
  afterNavigate(() => {
    wanted = null;
  });
  onMount(() => {
    function meet(event: PromiseRejectionEvent) {
      if (!isLostScript(event.reason)) return;
      event.preventDefault();
      const to = wanted;
      wanted = null;
      // What was only fetched ahead is asked for again when it is needed.
      if (to === null) return;
      if (navigator.onLine) location.assign(to);
      else toast(m.ui_offline(), 'failure');
    }
    addEventListener('unhandledrejection', meet);
    addEventListener('click', follow, { capture: true });
    return () => {
      removeEventListener('unhandledrejection', meet);
      removeEventListener('click', follow, { capture: true });
    };
  });
}
