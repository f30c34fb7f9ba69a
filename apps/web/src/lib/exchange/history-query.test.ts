import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyPath, readHistoryQuery } from './history-query.ts';

describe('the query of the exchange list', () => {
  it('keeps valid filters and drops the rest', () => {
    const read = (query: string) => readHistoryQuery(new URLSearchParams(query));
    assert.deepEqual(read('state=done&from=2026-11-01&to=2026-11-20&page=3'), {
      state: 'done',
      from: '2026-11-01',
      to: '2026-11-20',
      page: 3,
    });
    const cursor = 'MTc2NDQ0NzYwMDAwMCAwMThmMWEyYi0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDA';
    assert.deepEqual(read(`page=2&cursor=${cursor}`), { page: 2, cursor });
    assert.deepEqual(read(`page=2&cursor=${cursor.slice(40)}`), { page: 2 });
    assert.deepEqual(read(`cursor=${cursor}`), {});
    assert.deepEqual(read('state=odd&from=2026-02-30&to=today&page=-1'), {});
  });
  it('is read back as it was written', () => {
    const query = { state: 'open', from: '2026-11-01', page: 2 } as const;
    assert.deepEqual(readHistoryQuery(new URL(historyPath(query), 'http://x').searchParams), query);
    assert.equal(historyPath({}), '/exchanges');
    assert.equal(historyPath({ page: 1 }), '/exchanges');
  });
});
