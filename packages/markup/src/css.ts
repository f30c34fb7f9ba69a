/** Custom CSS: written into a `<style>` element, which it must not be able to leave. */
import { parse } from 'css-tree';

/**
 * The same style sheet without any sequence that could end its element: the `<`
 * becomes CSS's own escape for it, so strings and addresses keep their meaning;
 * elsewhere `</` has none, and `width < 600px` stays. NUL would hide a sequence from us that a parser still sees.
 * Lines end as a browser reads them, since the policy allows the element by the hash of its text.
 * Source: specification, section 4.4; HTML 13.2.5.14 (raw text end tags) and 13.2.3.5 (newlines).
 */
export function safeCss(css: string): string {
  const lines = css.replaceAll('\0', '').replace(/\r\n?/g, '\n');
  return lines.replace(/<(?=\s*[/!])/g, '\\3c ');
}

export interface CssFault {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** What a browser would skip, in the order of the text; at most ten. */
export function cssFaults(css: string): CssFault[] {
  const faults: CssFault[] = [];
  parse(css, {
    positions: true,
    parseCustomProperty: false,
    onParseError: ({ line, column, message }) => {
      if (faults.length < 10) faults.push({ line, column, message });
    },
  });
  return faults;
}
