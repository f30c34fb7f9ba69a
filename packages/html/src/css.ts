/** Custom CSS, which must not be able to end the `<style>` element it is written into. */
import { parse } from 'css-tree';

/**
 * Escapes each `<` that could end the element as `\3c`, which means the same in strings and URLs; `width < 600px`
 * stays. Removes NUL, which a parser skips. Normalises newlines as a browser does, since the
 * Content-Security-Policy allows the element by the hash of its text.
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

/** The first ten syntax errors. A browser skips what they stand in. */
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
