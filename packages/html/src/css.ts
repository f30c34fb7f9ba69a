/** Custom CSS, which must not be able to end the `<style>` element it is written into. */
import { parse, walk } from 'css-tree';

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

export interface CssAddress {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly address: string;
}

/**
 * The first ten URLs outside `origins`, of which the first is the page's own. The pages'
 * Content-Security-Policy blocks them.
 */
export function foreignAddresses(
  css: string,
  origins: readonly [string, ...string[]],
): CssAddress[] {
  const found: CssAddress[] = [];
  walk(parse(css, { positions: true, parseCustomProperty: true }), function (node) {
    // The URL of @namespace is only a name.
    const loads =
      (node.type === 'Url' && this.atrule?.name !== 'namespace') ||
      (node.type === 'String' &&
        (this.atrule?.name === 'import' || this.function?.name.endsWith('image-set')));
    if (!loads || !node.loc || !isElsewhere(node.value, origins)) return;
    const { line, column } = node.loc.start;
    if (found.length < 10) found.push({ line, column, address: node.value });
  });
  return found;
}

function isElsewhere(address: string, origins: readonly [string, ...string[]]): boolean {
  if (!URL.canParse(address, origins[0])) return false;
  const { protocol, origin } = new URL(address, origins[0]);
  return /^https?:$/.test(protocol) && !origins.includes(origin);
}
