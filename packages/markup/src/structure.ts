/**
 * Puts the elements of cleaned HTML where HTML has them: items into lists, cells
 * into rows, a meaning after each term. What stands outside is wrapped or loses
 * its tags; its text stays. Pure.
 * Source: HTML 4.4 (grouping content) and 4.9 (tables).
 */
import { withoutBlocks, withoutBlockTags } from './blocks.ts';
import { withSpans } from './spans.ts';

export interface Element {
  readonly name: string;
  /** As they are written, each after a space. */
  readonly attributes: string;
  readonly inner: readonly Node[];
}
export type Node = string | Element;

const token = /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+="[^"]*")*)( \/)?>|[^<]+/g;

/** The same HTML with everything in its place; `html` is what the cleaner has written. */
export function inPlace(html: string): string {
  const nodes = nodesOf(html);
  return nodes === null ? withoutBlockTags(html) : written(arranged('', nodes));
}

/** Null for what the cleaner would not have written. */
function nodesOf(html: string): Node[] | null {
  const root: Node[] = [];
  const open: { name: string; attributes: string; inner: Node[] }[] = [];
  const ids = new Set<string>();
  let read = 0;
  for (const [whole, end, name, attributes = '', isVoid] of html.matchAll(token)) {
    read += whole.length;
    const inner = open.at(-1)?.inner ?? root;
    if (name === undefined) inner.push(whole);
    else if (end) {
      if (open.pop()?.name !== name) return null;
    } else {
      const element = { name, attributes: withOwnId(attributes, ids), inner: [] };
      inner.push(element);
      if (!isVoid) open.push(element);
    }
  }
  return open.length === 0 && read === html.length ? root : null;
}

/** A link leads to the first that has an id; a second one loses it. */
function withOwnId(attributes: string, ids: Set<string>): string {
  const id = / id="([^"]*)"/.exec(attributes)?.[1];
  if (id === undefined) return attributes;
  if (ids.has(id)) return attributes.replace(/ id="[^"]*"/, '');
  ids.add(id);
  return attributes;
}

const voids = new Set(['br', 'hr', 'img']);

function written(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const { name, attributes, inner } = node;
      if (voids.has(name)) return `<${name}${attributes} />`;
      return `<${name}${attributes}>${written(inner)}</${name}>`;
    })
    .join('');
}

const sections = ['thead', 'tbody', 'tfoot'];
/** What each may only stand in. */
const homes: Readonly<Record<string, string>> = {
  li: 'ul',
  dt: 'dl',
  dd: 'dl',
  figcaption: 'figure',
  ...Object.fromEntries(['caption', ...sections, 'tr', 'th', 'td'].map((part) => [part, 'table'])),
};
/** Of these the editor holds lines alone. */
const lines = new Set(['figcaption', 'caption']);
/** Where a list or a table may stand; '' is the text itself. */
const flow = new Set(['', 'blockquote', 'li', 'dd', 'td', 'th', 'figure', 'figcaption', 'caption']);

/** What may stand in it, or what the rest is wrapped in. */
const wrappers: Readonly<Record<string, (name: string) => string | null>> = {
  ul: (name) => (name === 'li' ? null : 'li'),
  ol: (name) => (name === 'li' ? null : 'li'),
  dl: (name) => (name === 'dt' || name === 'dd' ? null : 'dd'),
  table: (name) => (name === 'tr' || name === 'caption' || sections.includes(name) ? null : 'tr'),
  ...Object.fromEntries(sections.map((each) => [each, (name) => (name === 'tr' ? null : 'tr')])),
  tr: (name) => (name === 'td' || name === 'th' ? null : 'td'),
  figure: (name) => (name === 'figcaption' ? null : (homes[name] ?? null)),
};

const isElement = (node: Node): node is Element => typeof node !== 'string';
const isNamed = (name: string) => (node: Node) => isElement(node) && node.name === name;
const make = (name: string, inner: readonly Node[], attributes = ''): Element => ({
  name,
  attributes,
  inner: arranged(name, inner),
});

/** What stands in an element of this name, each in its place. */
function arranged(name: string, nodes: readonly Node[]): Node[] {
  const wrapper = wrappers[name] ?? (flow.has(name) ? (part: string) => homes[part] ?? null : null);
  const hasParagraphs = wrapper !== null && !lines.has(name);
  const inner = withoutBlocks(nodes, hasParagraphs).flatMap((node) =>
    isElement(node) ? kept(make(node.name, node.inner, node.attributes)) : node,
  );
  if (wrapper === null) return inner.flatMap(withoutTags);
  const wrapped = wrappedRuns(inner, wrapper);
  if (name === 'dl') return withMeanings(wrapped);
  if (name === 'table') return withSpans(inOrder(wrapped));
  return name === 'figure' ? withOneCaption(wrapped) : wrapped;
}

/** An element that needs something in it goes where there is nothing. */
function kept(element: Element): Node[] {
  const { name, inner } = element;
  if (/^h[2-4]$/.test(name)) return written(inner).trim() === '' ? [] : [element];
  const needs = name === 'dl' || name === 'tr' || sections.includes(name);
  if (needs && !inner.some(isElement)) return [];
  if (name !== 'table') return [element];
  const hasRows = inner.some((node) => isElement(node) && node.name !== 'caption');
  return hasRows ? [element] : inner.flatMap((node) => (isElement(node) ? node.inner : []));
}

/** In a line of text only the words of such an element can stand. */
function withoutTags(node: Node): Node[] {
  if (!isElement(node) || homes[node.name] === undefined) return [node];
  return [...node.inner.flatMap(withoutTags), ' '];
}

/** What follows one another and needs the same element around it gets one. */
function wrappedRuns(nodes: readonly Node[], wrapper: (name: string) => string | null): Node[] {
  const all: Node[] = [];
  let run: { name: string; inner: Node[] } | null = null;
  const close = () => {
    if (run) all.push(...kept(make(run.name, run.inner)));
    run = null;
  };
  for (const node of nodes) {
    const isSpace = !isElement(node) && node.trim() === '';
    const name: string | null = isSpace ? null : wrapper(isElement(node) ? node.name : '');
    if (run !== null && (isSpace || run.name === name)) run.inner.push(node);
    else {
      close();
      if (name === null) all.push(node);
      else run = { name, inner: [node] };
    }
  }
  close();
  return all;
}

/** Each group is one term or more and what they mean. */
function withMeanings(nodes: readonly Node[]): Node[] {
  const first = nodes.find(isElement);
  const last = nodes.findLast(isElement);
  const term = first?.name === 'dd' ? [make('dt', [])] : [];
  const meaning = last?.name === 'dt' ? [make('dd', [])] : [];
  return [...term, ...nodes, ...meaning];
}

/** One caption, at the end or the beginning; others become paragraphs. */
function withOneCaption(nodes: readonly Node[]): Node[] {
  const elements = nodes.filter((node) => isElement(node) || node.trim() !== '');
  const isCaption = isNamed('figcaption');
  const one = [elements[0], elements.at(-1)].find((node) => node !== undefined && isCaption(node));
  return nodes.map((node) =>
    isElement(node) && isCaption(node) && node !== one ? { ...node, name: 'p' } : node,
  );
}

/** The caption first, a head only at the beginning and a foot only at the end. */
function inOrder(nodes: readonly Node[]): Node[] {
  const caption = nodes.find(isNamed('caption'));
  const rows = nodes
    .filter((node) => node !== caption)
    .map((node) =>
      isElement(node) && node.name === 'caption' ? make('tr', [make('td', node.inner)]) : node,
    );
  const parts = rows.filter(isElement);
  const placed = rows.map((node) => {
    if (!isElement(node)) return node;
    const isMisplaced =
      (node.name === 'thead' && node !== parts[0]) ||
      (node.name === 'tfoot' && node !== parts.at(-1));
    return isMisplaced ? { ...node, name: 'tbody' } : node;
  });
  return caption === undefined ? placed : [caption, ...placed];
}
