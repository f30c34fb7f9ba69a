import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fullEffort } from './stays.ts';
import { blanksOf, breaksOf, textDiff, wordDiff } from './word-diff.ts';

/** As it is read: [-went-], {+came+}. */
const read = (old: string, fresh: string, effort = fullEffort()) =>
  textDiff(old, fresh, effort)
    .parts.map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`,
    )
    .join('');

const fees = 'A margin and a fee, both of which you see before you accept a rate.';
const waiting = 'The money that you reserved waits for two days, and goes back to you after that.';

describe('two texts', () => {
  it('are compared word by word where most of them stayed', () => {
    assert.equal(
      read(fees, fees.replace('A margin', 'The margin').replace('see', 'read')),
      '[-A-]{+The+} margin and a fee, both of which you [-see-]{+read+} before you accept a rate.',
    );
    assert.equal(read('Fees', `Fees. ${waiting}`), `Fees{+. ${waiting}+}`);
    assert.equal(read(`${waiting} ${fees}`, waiting), `${waiting}[- ${fees}-]`);
  });

  it('have an amount, a day and an address as one word, without the signs at its edges', () => {
    for (const [old, fresh] of [
      ['1,234.50', '1,234.05'],
      ['2026-11-23', '2026-11-24'],
      ['0.860289', '-0.860289'],
      ['desk@cambist.example', 'desk@cambist.test'],
      ['https://a.example/x-1.html?y=1', 'https://a.example/x-2.html?y=1'],
    ] as const)
      assert.equal(
        read(`The fee (${old} USD, “${old}”).`, `The fee (${fresh} USD, “${fresh}”).`),
        `The fee ([-${old}-]{+${fresh}+} USD, “[-${old}-]{+${fresh}+}”).`,
      );
    assert.equal(
      read('It is **well** known.', 'It is **well**-known.'),
      'It is **well**[- -]{+-+}known.',
    );
  });

  it('are cut between words, and between letters with their marks where words have no space', () => {
    assert.equal(
      read('העמלה היא 5, תמיד', 'העמלות היא 5, תמיד'),
      '[-העמלה-]{+העמלות+} היא 5, תמיד',
    );
    assert.equal(read('Курс дня вот', 'Курсы дня вот'), '[-Курс-]{+Курсы+} дня вот');
    assert.equal(read('汇率每天更新', '汇率每周更新'), '汇率每[-天-]{+周+}更新');
    assert.equal(read('เรากินข้าวที่นี่', 'เรากันข้าวที่นี่'), 'เรา[-กิ-]{+กั+}นข้าวที่นี่');
  });

  it('stand whole after each other where little stayed', () => {
    assert.equal(read(fees, waiting), `[-${fees}-]{+${waiting}+}`);
  });

  it('are so paragraph by paragraph', () => {
    assert.equal(
      read(`First.\n${fees}\n${waiting}`, `First.\n${waiting}\n${waiting.replace('two', 'three')}`),
      `First.\n[-${fees}-]\n{+${waiting}+}\n${waiting.replace('two', '[-two-]{+three+}')}`,
    );
  });

  it('show a line that went, and what came into the next one, each for itself', () => {
    assert.equal(
      read(`Para A alpha beta.\nPara B stays.\n${fees}`, `> Para B stays.\n${fees}`),
      `[-Para A alpha beta.-]\n{+> +}Para B stays.\n${fees}`,
    );
    assert.equal(
      read(`First.\n${fees}`, `First.\n${fees.replace('see', 'read')}\n${waiting}`),
      `First.\n${fees.replace('see', '[-see-]{+read+}')}\n{+${waiting}+}`,
    );
    assert.equal(read(fees, `${waiting}\nEnd.`), `[-${fees}-]\n{+${waiting}\nEnd.+}`);
  });

  it('mark no words of a line that was parted in two, or joined of two', () => {
    const [one, other] = ['Alpha beta. Gamma delta.', 'Alpha beta.\nGamma delta.'];
    assert.equal(read(one, other), 'Alpha beta.{+\n+}Gamma delta.');
    assert.equal(read(other, one), 'Alpha beta.[-\n-] Gamma delta.');
  });

  it('have the end of a line that went or came for itself, to be shown by a sign', () => {
    const breaks = (old: string, fresh: string) =>
      wordDiff(old, fresh).map(({ kind, text }) => [kind, breaksOf(text)]);
    const [one, other] = ['Alpha beta. Gamma delta.', 'Alpha beta.\nGamma delta.'];
    const same = ['same', 0];
    assert.deepEqual(breaks(other, one), [same, ['removed', 1], same]);
    assert.deepEqual(breaks(one, other), [same, ['added', 1], same]);
    assert.deepEqual(['\n \n', 'Alpha\n', ' '].map(breaksOf), [2, 0, 0]);
  });

  it('have blanks alone as signs, to be counted', () => {
    const found = wordDiff(
      'if (a)\n  b(); // as it was before',
      'if (a)\n\t b(); // as it was before',
    );
    assert.deepEqual(
      found.map(({ kind, text }) => [kind, blanksOf(text)]),
      [
        ['same', ''],
        ['removed', '··'],
        ['added', '→·'],
        ['same', ''],
      ],
    );
    assert.deepEqual(['\n ', 'a ', ''].map(blanksOf), ['', '', '']);
  });

  it('are compared in time that grows with them, however many blanks follow one another', () => {
    const [blanks, began] = [' '.repeat(100_000), performance.now()];
    assert.match(
      read(`stays${blanks}old`, `stays${blanks}new`),
      /^ … {2,200}\[-old-\]\{\+new\+\}$/,
    );
    assert.match(
      read(`old${blanks}stays`, `new${blanks}stays`),
      /^\[-old-\]\{\+new\+\} {0,200}… $/,
    );
    assert.ok(performance.now() - began < 5_000);
  });

  it('are told line by line however many there are, by the words that each alone has', () => {
    const lines = (end: string) =>
      Array.from({ length: 3_000 }, (_, line) => `the line ${line} has an ${end}`).join('\n');
    const told = lines('[-end-]{+other one+}');
    assert.equal(read(lines('end'), lines('other one')), told);
    assert.equal(read(lines('end'), lines('other one'), { left: 0 }), told);
  });

  it('stand whole after each other where finding what they share would take too long', () => {
    const long = (word: string) =>
      Array.from({ length: 60_000 }, (_, index) => word + (index % 7)).join(' ');
    const [old, fresh] = [`First ${long('a')}`, `First ${long('b')}`];
    assert.equal(read(old, fresh), `[-${old}-]{+${fresh}+}`);
  });

  it('have no line paired with another one where no effort is left', () => {
    const [old, fresh] = [`Para A alpha beta.\nPara B stays.\n${fees}`, `> Para B stays.\n${fees}`];
    assert.equal(
      read(old, fresh, { left: 0 }),
      `[-Para A alpha beta.\nPara B stays.-]\n{+> Para B stays.+}\n${fees}`,
    );
  });

  it('are cut in the middle of what stayed, over all its paragraphs', () => {
    const long = 'some words\n'.repeat(80);
    assert.match(
      read(`old\n${long}end`, `new\n${long}fin`),
      /^\[-old-\]\n\{\+new\+\}\n(some words\n)+(some\n)?…\n(words\n)?(some words\n)+\[-end-\]\{\+fin\+\}$/,
    );
  });
});
