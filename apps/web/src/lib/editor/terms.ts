/** Lists of terms (`dl`) that a text has already: they can be edited and stay when it is saved. */
import { Node } from '@tiptap/core';

export const Terms = Node.create({
  name: 'terms',
  group: 'block',
  content: '(term | meaning)+',
  isolating: true,
  parseHTML: () => [{ tag: 'dl' }],
  renderHTML: () => ['dl', 0],
});

export const Term = Node.create({
  name: 'term',
  content: 'inline*',
  defining: true,
  parseHTML: () => [{ tag: 'dt' }],
  renderHTML: () => ['dt', 0],
});

export const Meaning = Node.create({
  name: 'meaning',
  content: 'block+',
  defining: true,
  parseHTML: () => [{ tag: 'dd' }],
  renderHTML: () => ['dd', 0],
});
