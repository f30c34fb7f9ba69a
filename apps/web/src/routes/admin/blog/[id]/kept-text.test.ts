import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PostContent } from '@cambist/contract/blog';
import { forgetText, keepText, keptText, textName } from './kept-text.ts';

const content = { title: 'Typed', body: '<p>Typed.</p>', tags: [] as string[] } as PostContent;

describe('the text of a post that is not saved', () => {
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
