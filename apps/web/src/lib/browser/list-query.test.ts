import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listPath, readListQuery, searchLength, stateTabs } from './list-query.ts';

const states = ['new', 'open'] as const;
const read = (path: string) => readListQuery(states, new URL(path, 'https://desk.test'));

describe('the filters of a list', () => {
  it('are read from the address, without invalid ones', () => {
    assert.deepEqual(read('/?state=open&q=%20zebra%20'), { state: 'open', q: 'zebra' });
    assert.deepEqual(read('/?state=gone&q=%20'), {});
    assert.equal(read(`/?q=${'x'.repeat(500)}`).q?.length, searchLength);
  });

  it('are written as they are read', () => {
    assert.equal(listPath('/admin/blog', { q: '', page: 1, per_page: 30 }), '/admin/blog');
    const query = { state: 'new', q: 'gold & silver' } as const;
    assert.deepEqual(read(listPath('/admin/blog', query)), query);
  });

  it('stay in the tabs of the other states, but for the page', () => {
    const labels = { new: () => 'New', open: () => 'Open' };
    const query = { q: 'zebra', state: 'new', page: 2 } as const;
    assert.deepEqual(
      stateTabs('/list', query, { all: 'All', labels, counts: { new: 3, open: 0 } }),
      [
        { href: '/list?q=zebra', label: 'All', current: false },
        { href: '/list?q=zebra&state=new', label: 'New', count: 3, current: true },
        { href: '/list?q=zebra&state=open', label: 'Open', count: undefined, current: false },
      ],
    );
  });
});
