import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesBetween } from './changes.ts';

const column = (title: string, ...labels: string[]) => ({
  title,
  links: labels.map((label) => ({ label, href: `/${label}` })),
});
const [rates, help, desk] = [
  column('Rates', 'rates', 'pairs'),
  column('Help', 'contact', 'faq', 'report'),
  column('Desk', 'about', 'terms'),
];
const between = (before: readonly object[], after: readonly object[]) =>
  changesBetween({ footer: { columns: before } }, { footer: { columns: after } });
const path = 'footer.columns';

describe('what differs between two values', () => {
  it('is told field by field, with what came and what went', () => {
    const before = { a: 1, order: ['b', 'c'], same: true, gone: 'x', none: [] };
    const now = { a: 2, order: ['c', 'b'], same: true, more: { deep: 'z' }, none: null };
    assert.deepEqual(changesBetween(before, now), {
      changes: [
        { path: 'a', before: 1, after: 2 },
        { path: 'order', before: ['b', 'c'], after: ['c', 'b'] },
        { path: 'more.deep', before: null, after: 'z' },
        { path: 'gone', before: 'x', after: null },
      ],
      rows: [],
    });
  });

  it('is nothing where only the order of keys is another', () => {
    const nothing = { changes: [], rows: [] };
    assert.deepEqual(changesBetween({ a: 1, b: [] }, { b: [], a: 1 }), nothing);
  });
});

describe('the rows of a list', () => {
  it('that were moved are told as moved, and those that they were moved past not at all', () => {
    assert.deepEqual(between([rates, help, desk], [desk, rates, help]), {
      changes: [],
      rows: [{ path, from: 2, to: 0, row: desk }],
    });
    assert.deepEqual(between([rates, help, desk], [help, desk, rates]), {
      changes: [],
      rows: [{ path, from: 0, to: 2, row: rates }],
    });
  });

  it('that changed places are both told, and nothing of one between them that kept its own', () => {
    const { changes, rows } = between([rates, help, desk], [desk, help, rates]);
    assert.deepEqual(changes, []);
    assert.deepEqual(
      rows.map(({ from, to }) => [from, to]),
      [
        [2, 0],
        [0, 2],
      ],
    );
  });

  it('that were moved are told also where one that went leaves them their number', () => {
    const more = column('More', 'news', 'jobs');
    const { rows } = between([rates, help, desk, more], [desk, help, more]);
    assert.deepEqual(
      rows.map(({ from, to }) => [from, to]),
      [
        [1, 1],
        [0, null],
      ],
    );
  });

  it('that came or went are told as one each', () => {
    assert.deepEqual(between([rates, desk], [help, rates, desk]), {
      changes: [],
      rows: [{ path, from: null, to: 0, row: help }],
    });
    assert.deepEqual(between([rates, help, desk], [rates, desk]), {
      changes: [],
      rows: [{ path, from: 1, to: null, row: help }],
    });
    assert.deepEqual(between([rates], []).rows, [{ path, from: 0, to: null, row: rates }]);
    assert.deepEqual(between([], [rates]).rows, [{ path, from: null, to: 0, row: rates }]);
  });

  it('are compared with themselves where one changed, moved or not', () => {
    const asked = column('Questions', 'contact', 'faq', 'report');
    const title = { before: 'Help', after: 'Questions' };
    assert.deepEqual(between([rates, help, desk], [rates, asked, desk]), {
      changes: [{ path: `${path}.1.title`, ...title }],
      rows: [],
    });
    assert.deepEqual(between([rates, desk, help], [asked, rates, desk]), {
      changes: [{ path: `${path}.0.title`, ...title }],
      rows: [{ path, from: 2, to: 0, row: asked }],
    });
    const shorter = column('Help', 'faq', 'report');
    assert.deepEqual(between([rates, help], [rates, shorter]), {
      changes: [],
      rows: [{ path: `${path}.1.links`, from: 0, to: null, row: help.links[0] }],
    });
  });

  it('are known again by half of their texts, whatever else is the same in all of them', () => {
    const question = (name: string, answer: string) => ({ question: name, answer, shown: true });
    const [what, when, why] = [
      question('What?', 'This.'),
      question('When?', 'A long answer that is written anew.'),
      question('Why?', 'So.'),
    ];
    const later = question('When?', 'Later.');
    assert.deepEqual(between([what, when, why], [later, why, what]), {
      changes: [{ path: `${path}.0.answer`, before: when.answer, after: 'Later.' }],
      rows: [{ path, from: 0, to: 2, row: what }],
    });
    const [one, other] = [
      { name: 'one', feed: 'free', quota: 1 },
      { name: 'other', feed: 'free', quota: 1 },
    ];
    const most = { quota: 2 };
    assert.deepEqual(
      between(
        [one, other],
        [
          { ...other, ...most },
          { ...one, ...most },
        ],
      ).changes,
      [
        { path: `${path}.0.quota`, before: 1, after: 2 },
        { path: `${path}.1.quota`, before: 1, after: 2 },
      ],
    );
    assert.deepEqual(between([what, when], [when, question('Who?', 'We.')]).rows, [
      { path, from: null, to: 1, row: question('Who?', 'We.') },
      { path, from: 0, to: null, row: what },
    ]);
  });

  it('are compared place by place where nothing else tells which is which', () => {
    const other = column('Else', 'blog');
    const { changes, rows } = between([rates, help], [other, help]);
    assert.deepEqual(
      changes.map((change) => change.path),
      [`${path}.0.title`, `${path}.0.links.0.label`, `${path}.0.links.0.href`],
    );
    assert.deepEqual(rows, [{ path: `${path}.0.links`, from: 1, to: null, row: rates.links[1] }]);
  });
});
