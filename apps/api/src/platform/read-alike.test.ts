import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isReadAlike } from './read-alike.ts';

it('tells each pair by itself, however often and in whatever order it is asked', async () => {
  const texts = ['<p>a</p>', '<p>a </p>', '<p>b</p>', '["<p>a</p>","<p>b</p>"]'];
  for (let round = 0; round < 2; round += 1)
    for (const [place, one] of texts.entries())
      for (const [otherPlace, other] of texts.entries()) {
        const isAlike = place === otherPlace || (place < 2 && otherPlace < 2);
        assert.equal(await isReadAlike(one, other), isAlike, `${one} and ${other}`);
      }
});

it('tells them also where more were asked for than are kept', async () => {
  for (let n = 0; n < 1500; n += 1)
    assert.equal(await isReadAlike(`<p>${n}</p>`, '<p>x</p>'), false);
  assert.equal(await isReadAlike('<p>0</p>', '<p>x</p>'), false);
});

it('lets others go on between the comparisons of a list', async () => {
  const order: string[] = [];
  const list = (async () => {
    for (const text of ['one', 'two']) {
      await isReadAlike(`<p>${text}</p>`, '<p>other words</p>');
      order.push(text);
    }
  })();
  setImmediate(() => order.push('another'));
  await list;
  assert.deepEqual(order, ['one', 'another', 'two']);
});
