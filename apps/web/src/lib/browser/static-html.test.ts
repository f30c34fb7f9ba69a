import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { transport } from '../../hooks.ts';
import { htmlAt, StaticHtml } from './static-html.ts';

const { encode, decode } =
  transport['StaticHtml'] ?? assert.fail('Nothing takes parts to the browser.');

describe('static HTML', () => {
  const part = new StaticHtml(' <section class="a"><p>1 USD</p></section>', 'abc');

  afterEach(() => Reflect.deleteProperty(globalThis, 'document'));

  it('has its place on its first element only', () => {
    assert.equal(`${part}`, ' <section data-static-place="abc" class="a"><p>1 USD</p></section>');
    assert.equal(
      `${new StaticHtml('<h2>a</h2><p>b</p>', 'x')}`,
      '<h2 data-static-place="x">a</h2><p>b</p>',
    );
  });

  it('is encoded as its place, and nothing else is', () => {
    assert.equal(encode(part), 'abc');
    assert.equal(encode('<p>of the data of a page</p>'), false);
  });

  it('is read from the document by its place, with all content of its parent', () => {
    const innerHTML = '<h2 data-static-place="abc">a</h2><p>b</p>';
    const asked: string[] = [];
    const querySelector = (selector: string) => {
      asked.push(selector);
      return { parentElement: { innerHTML } };
    };
    Object.assign(globalThis, { document: { querySelector } });
    assert.equal(decode('abc'), innerHTML);
    assert.deepEqual(asked, ['[data-static-place="abc"]']);
  });

  it('is empty when the document does not have it', () => {
    Object.assign(globalThis, { document: { querySelector: () => null } });
    assert.equal(htmlAt('abc'), '');
  });
});
