import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mailPath, readMailQuery } from './mail-query.ts';

const read = (query: string) => readMailQuery(new URLSearchParams(query));

describe('the filters of the emails', () => {
  it('come back as they were written', () => {
    const query = { state: 'failed', recipient: 'mira+desk@cambist.test' } as const;
    assert.deepEqual(read(new URL(mailPath(query), 'http://desk').search), query);
  });

  it('leave out what makes no sense', () => {
    assert.deepEqual(read('state=lost&recipient=%20'), {});
    assert.equal(mailPath({}), '/admin/mail');
  });
});
