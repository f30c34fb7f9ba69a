/**
 * The desk's own style sheet: on which pages it is, and what becomes of it when
 * the browser goes from one to another without loading anew.
 */
import { afterNavigate } from '$app/navigation';
import { page } from '$app/state';
import { customStyleId, isDressed } from './custom-css-pages.ts';

/** Called by the outermost layout. */
export function keepCustomStyle(): void {
  afterNavigate(({ type, to }) => {
    const style = document.querySelector<HTMLStyleElement>(`#${customStyleId}`);
    const dressed = isDressed(to?.route.id ?? null);
    if (style) style.media = dressed ? 'all' : 'not all';
    // Only a page that is loaded has it, and the policy lets nobody else put it there.
    else if (dressed && type !== 'enter' && page.data.site.has_css) location.reload();
  });
}
