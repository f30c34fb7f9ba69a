import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { transport } from '../../hooks.ts';
import { placed, Still } from './static-html.ts';

const { encode, decode } = transport['Still'] ?? assert.fail('Nothing takes parts to the browser.');

describe('a part that stands in the document', () => {
  const still = new Still(' <section class="a"><p>1 USD</p></section>', 'abc');

  afterEach(() => Reflect.deleteProperty(globalThis, 'document'));

  it('is shown with its place on its first element alone', () => {
    assert.equal(`${still}`, ' <section data-still-place="abc" class="a"><p>1 USD</p></section>');
    assert.equal(
      `${new Still('<h2>a</h2><p>b</p>', 'x')}`,
      '<h2 data-still-place="x">a</h2><p>b</p>',
    );
  });

  it('is told by its place, and nothing else is', () => {
    assert.equal(encode(still), 'abc');
    assert.equal(encode('<p>of the data of a page</p>'), false);
  });

  it('is taken from there by the browser, with all that its parent has', () => {
    const innerHTML = '<h2 data-still-place="abc">a</h2><p>b</p>';
    const asked: string[] = [];
    const querySelector = (selector: string) => {
      asked.push(selector);
      return { parentElement: { innerHTML } };
    };
    Object.assign(globalThis, { document: { querySelector } });
    assert.equal(decode('abc'), innerHTML);
    assert.deepEqual(asked, ['[data-still-place="abc"]']);
  });

  it('is nothing where the document does not show it', () => {
    Object.assign(globalThis, { document: { querySelector: () => null } });
    assert.equal(placed('abc'), '');
  });
});
