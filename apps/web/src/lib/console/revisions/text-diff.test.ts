import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldDiffs, textDiff } from './text-diff.ts';

/** As it is read: [-removed-], {+added+}. */
const read = (before: string, after: string) =>
  textDiff(before, after)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    .join('');

describe('textDiff', () => {
  it('marks the words that were removed and added', () => {
    assert.equal(
      read('The fee is 2 percent.', 'The fee is 3 percent, always.'),
      'The fee is [-2-]{+3+} percent{+, always+}.',
    );
    assert.equal(read('', 'new'), '{+new+}');
    assert.equal(read('old', ''), '[-old-]');
  });

  it('leaves out the middle of long unchanged text, never what changed', () => {
    const long = 'sentence '.repeat(400);
    const text = read(`${long}old ${long}old`, `${long}new ${long}new`);
    assert.match(
      text,
      /^ … (sentence ){5,}\[-old-\]\{\+new\+\}( sentence)+\n…\n(sentence )+\[-old-\]\{\+new\+\}$/,
    );
    assert.ok(text.length < 600);
  });

  it('shows two long texts that share little as replaced', () => {
    const words = (seed: number) =>
      Array.from({ length: 30_000 }, (_, index) => `w${(index * seed) % 9973}`).join(' ');
    const parts = textDiff(words(7), words(11));
    assert.deepEqual(
      parts.map(({ kind }) => kind),
      ['removed', 'same', 'added'],
    );
  });
});

describe('fieldDiffs', () => {
  const before = { title: 'A', body: '<p>one</p>', note: 'x' };

  it('lists the fields that differ in the given order', () => {
    const after = { title: 'B', body: '<p>two</p>', note: 'x' };
    const fields = fieldDiffs(['body', 'title', 'note'], before, after);
    assert.deepEqual(
      fields.map(({ field }) => field),
      ['body', 'title'],
    );
  });

  it('has no parts for a field whose words are the same', () => {
    const after = { ...before, body: '<h2>one</h2>' };
    const body = (html: string) => html.replace(/<[^>]*>/g, '');
    assert.deepEqual(fieldDiffs(['body'], before, after, { body }), [{ field: 'body', parts: [] }]);
  });
});
