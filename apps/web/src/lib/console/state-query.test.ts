import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emptyWord, readStateQuery, searchLength, statePath } from './state-query.ts';

const states = ['new', 'open'] as const;
const read = (text: string) => readStateQuery(states, new URLSearchParams(text));

describe('the filters of a list with states', () => {
  it('are read from the address, without what makes no sense', () => {
    assert.deepEqual(read('state=open&q=%20zebra%20'), { state: 'open', q: 'zebra' });
    assert.deepEqual(read('state=gone&q=%20'), {});
    assert.equal(read(`q=${'x'.repeat(500)}`).q?.length, searchLength);
  });

  it('are what an empty list is told by: no search is blamed where none was made', () => {
    const words = { search: 'search', state: 'state', all: 'all' };
    assert.equal(emptyWord(read(''), words), 'all');
    assert.equal(emptyWord(read('state=open'), words), 'state');
    assert.equal(emptyWord(read('q=zebra'), words), 'search');
    assert.equal(emptyWord(read('state=open&q=zebra'), words), 'search');
  });

  it('are written back as they were read', () => {
    assert.equal(statePath('/admin/messages', {}), '/admin/messages');
    assert.equal(statePath('/admin/messages', { q: '' }), '/admin/messages');
    const path = statePath('/admin/messages', { state: 'new', q: 'a & b' });
    assert.deepEqual(read(path.split('?')[1] ?? ''), { state: 'new', q: 'a & b' });
  });
});
