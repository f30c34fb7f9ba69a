import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chosenDraft, differences } from '../comparison.ts';
import { groupBody, groupDraft, type GroupDraft } from './draft.ts';
import { groupLeaves } from './leaves.ts';
import { groupOf } from './shape.ts';

const shape = groupOf({
  type: 'object',
  properties: {
    name: { type: 'string' },
    shown: { type: 'boolean' },
    card: { enum: ['small', 'large'] },
    terms: { type: 'string' },
    marks: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } },
    order: { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['x', 'y'] } },
    faq: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { question: { type: 'string' }, answer: { type: 'string' } },
          },
        },
      },
    },
  },
});
const leaves = groupLeaves(shape, {
  words: {
    name: { label: () => 'Name' },
    card: { label: () => 'Card', choices: { large: () => 'Large' } },
    terms: { label: () => 'Terms', as: 'page' },
    faq: { label: () => 'Questions' },
  },
  on: 'On',
  off: 'Off',
  nameOf: (value) => (value === 'terms' ? 'Terms (/terms)' : undefined),
});
const value = {
  name: 'terms',
  shown: true,
  card: 'small',
  terms: 'terms',
  marks: ['a'],
  order: ['x', 'y'],
  faq: { title: 'Ask', items: [{ question: 'When?', answer: 'Now.' }] },
};
const draftOf = (change: object): GroupDraft => groupDraft(shape, { ...value, ...change });

describe('two drafts of a form made from a schema', () => {
  it('do not differ by the numbers of their rows', () => {
    const drafts = { before: draftOf({}), mine: draftOf({}), theirs: draftOf({}) };
    assert.deepEqual(differences(leaves, drafts), []);
  });

  it('are compared inside groups, and lists as a whole', () => {
    const items = [
      { question: 'When?', answer: 'Soon.' },
      { question: 'Where?', answer: 'Here.' },
    ];
    const found = differences(leaves, {
      before: draftOf({}),
      mine: draftOf({ shown: false, card: 'large', faq: { title: 'Asked', items } }),
      theirs: draftOf({ marks: [], order: ['y', 'x'], faq: { title: 'Help', items: [] } }),
    });
    assert.deepEqual(
      found.map(({ path, by, mine, theirs }) => [path, by, mine, theirs]),
      [
        ['shown', 'mine', 'Off', 'On'],
        ['card', 'mine', 'Large', 'small'],
        ['marks', 'theirs', 'a', ''],
        ['order', 'theirs', 'x\ny', 'y\nx'],
        ['faq.title', 'both', 'Asked', 'Help'],
        [
          'faq.items',
          'both',
          '1. Question: When?\n   Answer: Soon.\n2. Question: Where?\n   Answer: Here.',
          '',
        ],
      ],
    );
    assert.equal(found[4]?.label, 'Questions, Title');
  });

  it('name a page, and no other text that reads the same', () => {
    const found = differences(leaves, {
      before: draftOf({}),
      mine: draftOf({}),
      theirs: draftOf({ name: 'x', terms: 'x' }),
    });
    assert.deepEqual(
      found.map(({ before }) => before),
      ['terms', 'Terms (/terms)'],
    );
  });

  it('make one draft of both, as it is chosen', () => {
    const mine = draftOf({ name: 'Mine', faq: { title: 'Mine', items: [] } });
    const theirs = draftOf({
      name: 'Theirs',
      shown: false,
      faq: { ...value.faq, title: 'Theirs' },
    });
    const draft = chosenDraft(
      leaves,
      { mine, theirs },
      { name: 'theirs', 'faq.title': 'mine', 'faq.items': 'theirs' },
    );
    assert.deepEqual(groupBody(shape, draft), {
      ...value,
      name: 'Theirs',
      shown: false,
      faq: { ...value.faq, title: 'Mine' },
    });
    assert.deepEqual(groupBody(shape, theirs)['faq'], { ...value.faq, title: 'Theirs' });
  });
});
