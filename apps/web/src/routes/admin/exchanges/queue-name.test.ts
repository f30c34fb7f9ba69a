import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deskPath, readFilters, without } from './queue-name.ts';

describe('the filters in the address', () => {
  it('are read back as they were written, and what the service would refuse is left out', () => {
    const filters = { state: 'completed', pair: 'usd-to-eur', from: '2026-11-01' } as const;
    const path = deskPath(null, 'all', 'ana', filters);
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    assert.deepEqual(readFilters(query), filters);
    assert.deepEqual([query.get('queue'), query.get('search')], ['all', 'ana']);
    const odd = 'state=lost&exception=odd&pair=A&operator=me&from=2026-02-30&to=2026-11-02&more=1';
    assert.deepEqual(readFilters(new URLSearchParams(odd)), { to: '2026-11-02' });
    assert.deepEqual(without(filters, 'state'), { pair: 'usd-to-eur', from: '2026-11-01' });
    assert.equal(deskPath('CX-7F3K-92QD', 'to_review', ''), '/admin/exchanges/CX-7F3K-92QD');
  });
});
