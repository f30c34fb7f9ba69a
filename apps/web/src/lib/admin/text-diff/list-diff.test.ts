import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listDiff, type Item } from './list-diff.ts';

const question = (name: string, answer: string): Item => ({
  name,
  text: `Question: ${name}\nAnswer: ${answer}`,
});
const cost = question('What does it cost?', 'A margin and a fee, both shown before you accept.');
const late = question('What if I pay too late?', 'The reserved money goes back.');
const proof = question('What counts as proof?', 'Anything that shows the amount.');

/** As it is read: [-went-], {+came+}. */
const read = (old: readonly Item[], fresh: readonly Item[]) =>
  listDiff(old, fresh)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    .join('');

describe('two lists', () => {
  it('are compared item by item, wherever one was moved', () => {
    const changed = question('What if I pay too late?', 'The reserved money waits.');
    assert.equal(
      read([cost, late, proof], [cost, proof, changed]),
      `1. ${cost.text.replace('\n', '\n   ')}\n` +
        '[-3-]{+2+}. Question: What counts as proof?\n   Answer: Anything that shows the amount.\n' +
        '[-2-]{+3+}. Question: What if I pay too late?\n   Answer: The reserved money [-goes back-]{+waits+}.\n',
    );
  });

  it('show whole what is gone, where it stood, and what is new', () => {
    assert.equal(
      read([cost, late, proof], [late, question('New?', 'Yes.')]),
      `[-1. ${cost.text.replace('\n', '\n   ')}\n-]` +
        '[-2-]{+1+}. Question: What if I pay too late?\n   Answer: The reserved money goes back.\n' +
        `[-3. ${proof.text.replace('\n', '\n   ')}\n-]` +
        '{+2. Question: New?\n   Answer: Yes.\n+}',
    );
    assert.equal(read([], []), '');
  });

  it('know an item again whose name alone is another one', () => {
    const renamed = question('Fees?', 'A margin and a fee, both shown before you accept.');
    assert.match(
      read([cost], [renamed]),
      /^1\. Question:\[- What does it cost\?-\]\{\+ Fees\?\+\}\n {3}Answer: A margin/,
    );
  });

  it('keep what a long line is called by, and its end, where one word in its middle changed', () => {
    const long = (word: string) => `${'some '.repeat(80)}${word}${' more'.repeat(80)}`;
    assert.match(
      read([question('a', long('old')), late], [question('a', long('new')), late]),
      /^1\. Question: a\n {3}Answer: … (some ){5,}\[-old-\]\{\+new\+\}( more){5,} … \n2\. Question: /,
    );
  });

  it('have a line of its own where words are left out between two changes', () => {
    const long = (word: string) => `${word} ${'some '.repeat(80)}${word}`;
    assert.match(
      read([question('a', long('old'))], [question('a', long('new'))]),
      /^1\. Question: a\n {3}Answer: \[-old-\]\{\+new\+\}( some)+\n {3}…\n {3}(some )+\[-old-\]\{\+new\+\}\n$/,
    );
  });

  it('shorten a line whose first colon stands far behind', () => {
    const long = (word: string) => `${'some '.repeat(80)}that is: one ${word}`;
    const item = (word: string): Item => ({ name: 'a', text: `Title: a\n${long(word)}` });
    assert.match(
      read([item('old')], [item('new')]),
      /^1\. Title: a\n {4}… (some ){5,}that is: one \[-old-\]\{\+new\+\}\n$/,
    );
  });

  it('compare line with line where one has more of them, and cut what stayed', () => {
    const column = (...links: string[]): Item => ({
      name: 'Help',
      text: ['Title: Help', ...links].join('\n'),
    });
    assert.equal(
      read([column('1. Rates')], [column('1. Rates', '2. Blog')]),
      '1. Title: Help\n   1. Rates\n{+   2. Blog\n+}',
    );
    assert.match(
      read([question('a', 'word '.repeat(90))], [question('a', 'word '.repeat(90))]),
      / word …\n$/,
    );
  });
});
