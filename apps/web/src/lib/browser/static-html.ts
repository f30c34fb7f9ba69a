/** HTML of the server's that its document shows once and its data names by its place. */
const PLACE = 'data-still-place';

/** What `{@html}` takes. */
export type Shown = string | Still;

export class Still {
  readonly html: string;
  readonly place: string;

  /** `place`: what no other part of the same document is called, unless it is the same. */
  constructor(html: string, place: string) {
    this.place = place;
    this.html = html.replace(/^\s*<[a-z][a-z\d-]*/, (tag) => `${tag} ${PLACE}="${place}"`);
  }

  /** For `{@html}`. */
  toString(): string {
    return this.html;
  }
}

/** In the browser: what stands in the document at that place. It is all that its parent has. */
export function placed(place: string): string {
  return document.querySelector(`[${PLACE}="${place}"]`)?.parentElement?.innerHTML ?? '';
}
