/** Custom CSS: written into a `<style>` element, which it must not be able to leave. */
import { parse, walk } from 'css-tree';

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

export interface CssAddress {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly address: string;
}

/**
 * What a style sheet would load from elsewhere than these origins, of which the first is its page's, in the
 * order of the text; at most ten. Browsers don't load it there: the policy of the pages does not have it.
 */
export function foreignAddresses(
  css: string,
  origins: readonly [string, ...string[]],
): CssAddress[] {
  const found: CssAddress[] = [];
  walk(parse(css, { positions: true, parseCustomProperty: true }), function (node) {
    // The address of a namespace is its name alone.
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
