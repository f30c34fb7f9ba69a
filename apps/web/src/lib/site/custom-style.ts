/** Switches the custom CSS on and off as the browser navigates without reloading. */
import { afterNavigate } from '$app/navigation';
import { page } from '$app/state';
import { customStyleId, hasCustomCss } from './custom-css-pages.ts';

/** Called by the root layout. */
export function keepCustomStyle(): void {
  afterNavigate(({ type, to }) => {
    const style = document.querySelector<HTMLStyleElement>(`#${customStyleId}`);
    const hasCss = hasCustomCss(to?.route.id ?? null);
    if (style) style.media = hasCss ? 'all' : 'not all';
    // Only a full load has the style sheet, and the policy prevents adding it.
    else if (hasCss && type !== 'enter' && page.data.site.has_css) location.reload();
  });
}
