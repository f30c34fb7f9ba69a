/**
 * HTML rendered on the server. The document contains it, so the page's data only names its place
 * there.
 */
const PLACE = 'data-static-place';

/** For `{@html}`. */
export type HtmlPart = string | StaticHtml;

export class StaticHtml {
  readonly html: string;
  readonly place: string;

  /** `place` identifies the HTML in its document. */
  constructor(html: string, place: string) {
    this.place = place;
    this.html = html.replace(/^\s*<[a-z][a-z\d-]*/, (tag) => `${tag} ${PLACE}="${place}"`);
  }

  toString(): string {
    return this.html;
  }
}

/** In the browser: the HTML at this place, which is all content of its parent. */
export function htmlAt(place: string): string {
  return document.querySelector(`[${PLACE}="${place}"]`)?.parentElement?.innerHTML ?? '';
}
