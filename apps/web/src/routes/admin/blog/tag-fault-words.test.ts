import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

standInMessages();
const { tagFaultWords } = await import('./tag-fault-words.ts');

describe('the words for a tag that does not go into the post', () => {
  it('quote the sign that no tag has, unless nobody sees it by itself', () => {
    assert.deepEqual(tagFaultWords({ tags: '24/7' }), ['posts_tag_sign']);
    for (const tags of ['\u3164Gold', 'Go\u202eld', '\u0301Gold'])
      assert.deepEqual(tagFaultWords({ tags }), ['posts_tag_unseen']);
  });

  it('are none where all tags do', () => {
    assert.equal(tagFaultWords({ tags: 'Gold, ' }), undefined);
  });
});
