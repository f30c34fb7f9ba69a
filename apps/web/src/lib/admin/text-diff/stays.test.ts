import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fullEffort, staysOf } from './stays.ts';

const words = (text: string) => text.split(' ');
/** The words that stayed; those that follow one another on both sides together. */
const stayed = (old: string, fresh: string, effort = fullEffort()) =>
  staysOf(words(old), words(fresh), effort).map((stay) =>
    words(old)
      .slice(stay.old, stay.old + stay.count)
      .join(' '),
  );
const none = () => ({ left: 0 });

describe('what two rows of words share', () => {
  it('is as much as it can be', () => {
    assert.deepEqual(stayed('a b c a b b a', 'c b a b a c'), ['c', 'a b', 'a']);
    assert.deepEqual(stayed('a', 'b'), []);
    assert.deepEqual(stayed('a b', 'a b'), ['a b']);
  });

  it('is beginning, end, and what is about words that stand there once, where no search is left', () => {
    assert.deepEqual(stayed('a a b c c', 'a a d c c', none()), ['a a', 'c c']);
    assert.deepEqual(stayed('x a a one a a y', 'z a a one a a w', none()), ['a a one a a']);
    // Of two that changed places one stayed.
    assert.equal(stayed('x one two y', 'z two one w', none()).length, 1);
    assert.deepEqual(stayed('x a a y a a', 'a a z a a w', none()), []);
  });

  it('is cut at longer rows first, lest a word that moved hides them', () => {
    const row = 'b c b b c b b b c';
    assert.deepEqual(stayed(`x one ${row} y`, `z ${row} one w`, none()), [row]);
  });

  it('is searched as long as there is effort left, which differences use up', () => {
    const long = (word: string) => Array.from({ length: 300 }, (_, index) => word + (index % 100));
    const effort = { left: 100_000 };
    assert.deepEqual(staysOf(long('a'), long('b'), effort), []);
    assert.equal(effort.left, 0);
    const full = fullEffort();
    assert.equal(staysOf(long('a'), long('a'), full).length, 1);
    const { left } = fullEffort();
    assert.ok(full.left <= left && full.left > left - 1_000);
  });

  it('stands in both in one order, and nowhere twice, whatever they are', () => {
    const row = (seed: number, factor: number) =>
      Array.from({ length: 10 + (seed % 50) }, (_, index) =>
        String((index ** 2 * factor + index * seed) % (5 + (seed % 40))),
      );
    for (let seed = 0; seed < 1_000; seed += 1) {
      const [old, fresh] = [row(seed, 1), row(seed, 3)];
      let [oldPlace, freshPlace] = [0, 0];
      for (const stay of staysOf(old, fresh, { left: seed % 400 })) {
        assert.ok(stay.count > 0 && stay.old >= oldPlace && stay.fresh >= freshPlace);
        [oldPlace, freshPlace] = [stay.old + stay.count, stay.fresh + stay.count];
        assert.deepEqual(old.slice(stay.old, oldPlace), fresh.slice(stay.fresh, freshPlace));
        assert.ok(oldPlace <= old.length && freshPlace <= fresh.length);
      }
    }
  });
});
