import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { forgetText, keepText, keptText, textName } from './kept-text.ts';

const content = { title: 'Typed', body: '<p>Typed.</p>', tags: [] as string[] } as PostContent;

describe('the text of a post that is not saved', () => {
  const store = new Map<string, string>();
  const original = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
  before(() => {
    const sessionStorage = {
      setItem: (name: string, text: string) => store.set(name, text),
      getItem: (name: string) => store.get(name) ?? null,
      removeItem: (name: string) => store.delete(name),
    };
    Object.defineProperty(globalThis, 'sessionStorage', {
      value: sessionStorage,
      configurable: true,
    });
  });
  after(() => {
    if (original) Object.defineProperty(globalThis, 'sessionStorage', original);
  });

  it('is offered again to who typed it, and to nobody else in the same tab', () => {
    const mine = textName('post-1', 'user-1');
    keepText(mine, content);
    assert.deepEqual(keptText(mine), content);
    assert.equal(keptText(textName('post-1', 'user-2')), null);
    assert.equal(keptText(textName('post-2', 'user-1')), null);
    forgetText(mine);
    assert.equal(keptText(mine), null);
  });
});
