import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptTexts } from './kept-texts.ts';

/** A memory for two hundred letters, and how often each text was made. */
function memory() {
  const made: string[] = [];
  const texts = keptTexts<string>(400, (text) => text.length);
  const get = (text: string, label = '') =>
    texts.get([text, label], async () => {
      made.push(text);
      if (text === 'bad') throw new Error('bad');
      return text + label;
    });
  return { get, made };
}

describe('what was made of texts', () => {
  it('is made once of each, also for those who ask at once', async () => {
    const { get, made } = memory();
    assert.deepEqual(await Promise.all([get('a'), get('a'), get('b')]), ['a', 'a', 'b']);
    assert.equal(await get('a'), 'a');
    assert.deepEqual(made, ['a', 'b']);
  });

  it('is of all the words it was made of', async () => {
    const { get } = memory();
    assert.deepEqual([await get('a', 'bc'), await get('ab', 'c')], ['abc', 'abc']);
    assert.equal(await get('a', 'Table'), 'aTable');
  });

  it('is bounded in bytes: what nobody asked for longest goes first', async () => {
    const { get, made } = memory();
    const [one, two, three] = ['1', '2', '3'].map((letter) => letter.repeat(80));
    for (const text of [one, two, one, three, one, two]) await get(String(text));
    assert.deepEqual(made, [one, two, three, two]);
  });

  it('is not kept where it is larger than the whole memory, and pushes out nothing', async () => {
    const { get, made } = memory();
    const large = 'x'.repeat(300);
    await get('small');
    for (const text of [large, large]) assert.equal(await get(text), large);
    await get('small');
    assert.deepEqual(made, ['small', large, large]);
  });

  it('is not kept where it failed', async () => {
    const { get, made } = memory();
    for (let time = 1; time <= 2; time += 1) await assert.rejects(get('bad'), /bad/);
    assert.deepEqual(made, ['bad', 'bad']);
  });
});
