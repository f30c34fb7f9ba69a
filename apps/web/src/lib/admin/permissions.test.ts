import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { may, mayOpen, permissionFor } from './permissions.ts';

const operator = { permissions: ['desk'] };

describe('the permission that a page of the console needs', () => {
  it('is that of its part, however deep the page lies', () => {
    assert.equal(permissionFor('/admin/users'), 'users');
    assert.equal(permissionFor('/admin/users/0192'), 'users');
    assert.equal(permissionFor('/admin/reserves/eur'), 'money');
  });

  it('is not that of a part whose name it merely begins with', () => {
    assert.equal(permissionFor('/admin/mailbox'), null);
  });

  it('is known for every part that exists', () => {
    const console = join(import.meta.dirname, '../../routes/admin');
    const parts = globSync('*/**/+page.svelte', { cwd: console }).map(
      (page) => `/admin/${page.split(/[\\/]/)[0]}`,
    );
    assert.ok(parts.length > 0);
    assert.deepEqual(
      parts.filter((part) => permissionFor(part) === null),
      [],
    );
  });

  it('lets in who has it, and nobody into a part without', () => {
    assert.ok(mayOpen(operator, '/admin/exchanges/CX-1'));
    assert.ok(mayOpen(operator, '/admin'));
    assert.ok(!mayOpen(operator, '/admin/mail'));
    assert.ok(!may(null, 'desk'));
  });
});
