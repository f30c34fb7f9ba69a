/**
 * A post that brings scripts of its own is a document of its own: its policy allows
 * them there alone, and what runs ends when the reader goes on to another page.
 */
import { afterNavigate, beforeNavigate } from '$app/navigation';

/** Called by the page of a post; `runs` says whether it has any. */
export function keepScriptsHere(runs: () => boolean): void {
  afterNavigate(({ type }) => {
    if (type !== 'enter' && runs()) location.reload();
  });
  beforeNavigate((navigation) => {
    const { to, type, willUnload, complete } = navigation;
    if (willUnload || to === null || !runs()) return;
    if (type === 'popstate') {
      // Back and forth keep their places; the page that is come to is loaded anew.
      void complete.then(() => location.reload());
      return;
    }
    navigation.cancel();
    location.assign(to.url);
  });
}
