import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { postsPath, readPostsQuery } from './posts-query.ts';

const read = (query: string) => readPostsQuery(new URLSearchParams(query));

describe('the filters of the list of posts', () => {
  it('come back as they were written', () => {
    const query = { state: 'draft', tag: 'C++ & more', q: 'gold & silver', page: 3 } as const;
    assert.deepEqual(read(new URL(postsPath(query), 'http://desk').search), query);
  });

  it('leave out what makes no sense', () => {
    assert.deepEqual(read('state=gone&q=%20&page=-1'), {});
    assert.deepEqual(read('page=1e3'), {});
    assert.equal(postsPath({ page: 1 }), '/admin/blog');
  });
});
