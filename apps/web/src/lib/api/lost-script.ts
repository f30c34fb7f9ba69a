/**
 * A page's script that cannot be loaded, offline or after a new release. Without this the
 * navigation would silently fail.
 */
import { onMount } from 'svelte';
import { afterNavigate, beforeNavigate } from '$app/navigation';
import { m } from '#lib/paraglide/messages.js';
import { toast } from '#lib/browser/toasts.svelte.ts';

// The messages of Chromium, Firefox and Safari.
const lost =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed/i;

export function isLostScript(reason: unknown): boolean {
  return reason instanceof Error && lost.test(reason.message);
}

/** Shows that the visitor is offline, or loads the whole page. For the root layout. */
export function meetLostScripts(): void {
  let wanted: URL | string | null = null;
  beforeNavigate(({ to, willUnload }) => {
    wanted = willUnload ? null : (to?.url ?? null);
  });
  // The router loads a page's script before `beforeNavigate`.
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
      // A failed preload is tried again when it is needed.
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
