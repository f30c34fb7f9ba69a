/**
 * How far the cells of a table reach: none below its part of the table, and none
 * over a column in which no cell begins. Pure.
 * Source: HTML 4.9.12.1 (forming a table), whose errors these are.
 */
import type { Element, Node } from './structure.ts';

interface Cell {
  readonly column: number;
  readonly columns: number;
  readonly rows: number;
}

/** The caption, parts and rows of a table, with spans that end where it does. */
export function withSpans(nodes: readonly Node[]): Node[] {
  const cells = new Map<Element, Cell>();
  for (const rows of groupsOf(nodes)) place(rows, cells);
  const begun = new Set([...cells.values()].map(({ column }) => column));
  const mend = (node: Node): Node => {
    if (typeof node === 'string') return node;
    const cell = cells.get(node);
    if (cell === undefined) return isPart(node) ? { ...node, inner: node.inner.map(mend) } : node;
    const { column, columns, rows } = cell;
    const reached = Array.from({ length: columns }, (_, index) => column + index);
    const own = reached.filter((each) => begun.has(each)).length;
    const attributes = spanned(node.attributes, 'colspan', own);
    return { ...node, attributes: spanned(attributes, 'rowspan', rows) };
  };
  return nodes.map(mend);
}

const isPart = ({ name }: Element) => name === 'tr' || /^t(head|body|foot)$/.test(name);

/** Rows among which cells may reach down: of one part, or between two. */
function groupsOf(nodes: readonly Node[]): Element[][] {
  const groups: Element[][] = [[]];
  for (const node of nodes) {
    if (typeof node === 'string' || !isPart(node)) continue;
    if (node.name === 'tr') groups.at(-1)?.push(node);
    else groups.push(elementsOf(node), []);
  }
  return groups;
}

const elementsOf = ({ inner }: Element) => inner.filter((node) => typeof node !== 'string');

function place(rows: readonly Element[], cells: Map<Element, Cell>): void {
  /** By column: the first row that is free again. */
  const free: number[] = [];
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const cell of elementsOf(row)) {
      while ((free[column] ?? 0) > index) column += 1;
      const columns = spanOf(cell, 'colspan');
      const down = Math.min(spanOf(cell, 'rowspan'), rows.length - index);
      cells.set(cell, { column, columns, rows: down });
      for (let each = column; each < column + columns; each += 1) free[each] = index + down;
      column += columns;
    }
  }
}

type Span = 'colspan' | 'rowspan';
const written = (span: Span) => new RegExp(` ${span}="(\\d+)"`);

function spanOf({ attributes }: Element, span: Span): number {
  return Number(written(span).exec(attributes)?.[1] ?? 1);
}

function spanned(attributes: string, span: Span, count: number): string {
  return attributes.replace(written(span), (whole, given: string) => {
    if (Number(given) === count) return whole;
    return count > 1 ? ` ${span}="${count}"` : '';
  });
}
