import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readUsersQuery, usersPath } from './users-query.ts';

const read = (query: string) => readUsersQuery(new URLSearchParams(query));

describe('the filters of the list of people', () => {
  it('come back as they were written', () => {
    const query = { q: 'mira o', role: 'admin', state: 'disabled' } as const;
    assert.deepEqual(read(new URL(usersPath(query), 'http://desk').search), query);
  });

  it('leave out what makes no sense', () => {
    assert.deepEqual(read('q=%20&role=owner&state=gone'), {});
    assert.equal(usersPath({}), '/admin/users');
  });

  it('can be changed one at a time', () => {
    assert.equal(usersPath({ q: 'mira', role: 'user' }, { role: null }), '/admin/users?q=mira');
    assert.equal(
      usersPath({ q: 'mira' }, { state: 'disabled' }),
      '/admin/users?q=mira&state=disabled',
    );
  });
});
