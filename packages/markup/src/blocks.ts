/**
 * What other pages have their words in, as `div`: the element has no place in a text, and its words
 * stand apart from those beside it as they did there. Pure.
 * Source: HTML 15.3 (rendering, flow content), less what is kept or goes with its words.
 */
import type { Element, Node } from './structure.ts';

/** The cleaner calls all of them so until they are gone. */
export const block = 'div';

export const foreignBlocks: ReadonlySet<string> = new Set([
  block,
  'address',
  'article',
  'aside',
  'center',
  'details',
  'dialog',
  'dir',
  'fieldset',
  'footer',
  'form',
  'header',
  'hgroup',
  'legend',
  'main',
  'menu',
  'nav',
  'optgroup',
  'search',
  'section',
  'summary',
]);

/** The same without them: paragraphs where these may stand, lines in a line of text. */
export function withoutBlocks(nodes: readonly Node[], hasParagraphs: boolean): Node[] {
  const all = nodes.flatMap((node) => {
    if (typeof node === 'string' || node.name !== block) return [node];
    const inner = withoutBlocks(node.inner, hasParagraphs);
    return hasParagraphs ? paragraphs(inner) : ['\n', ...inner, '\n'];
  });
  return all.filter((node, index) => node !== '\n' || all[index - 1] !== '\n');
}

/** Should one have come so far that its place is unknown. */
export const withoutBlockTags = (html: string) => html.replace(/<\/?div>/g, '\n');

/** Within a line of text a block is but lines of it. */
const inline = new Set([block, ...'br img code kbd strong em s u sub sup mark a'.split(' ')]);

const isElement = (node: Node) => typeof node !== 'string';

const isInline = (node: Node): boolean =>
  typeof node === 'string' || (inline.has(node.name) && node.inner.every(isInline));

const hasWords = (node: Node): boolean =>
  typeof node === 'string' ? node.trim() !== '' : node.inner.some(hasWords);

/** Words that follow one another without a block between them become a paragraph. */
function paragraphs(nodes: readonly Node[]): Node[] {
  const all: Node[] = [];
  let run: Node[] = [];
  const close = () => {
    if (run.some(hasWords)) all.push(paragraph(run));
    // One by one: a body of breaks alone is more than a call takes as arguments.
    else for (const node of run.some(isElement) ? ['\n', ...run, '\n'] : run) all.push(node);
    run = [];
  };
  for (const node of nodes) {
    if (isInline(node)) run.push(node);
    else {
      close();
      all.push(node);
    }
  }
  close();
  return all.length > 0 ? all : ['\n'];
}

const paragraph = (inner: readonly Node[]): Element => ({ name: 'p', attributes: '', inner });
