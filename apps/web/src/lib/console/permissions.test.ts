import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { may, mayOpen, permissionsFor } from './permissions.ts';

const operator = { permissions: ['desk'] };

describe('the permission that a page of the console needs', () => {
  it('is that of its part, however deep the page lies', () => {
    assert.deepEqual(permissionsFor('/admin/users'), ['users']);
    assert.deepEqual(permissionsFor('/admin/users/0192'), ['desk', 'users']);
    assert.deepEqual(permissionsFor('/admin/reserves/eur'), ['money']);
  });

  it('is not that of a part whose name it merely begins with', () => {
    assert.deepEqual(permissionsFor('/admin/mailbox'), []);
  });

  it('is known for every part that exists', () => {
    const console = join(import.meta.dirname, '../../routes/admin');
    const parts = globSync('*/**/+page.svelte', { cwd: console }).map(
      (page) => `/admin/${page.split(/[\\/]/)[0]}`,
    );
    assert.ok(parts.length > 0);
    assert.deepEqual(
      parts.filter((part) => permissionsFor(part).length === 0),
      [],
    );
  });

  it('is that of each group of settings, and any of them for their list', () => {
    assert.deepEqual(permissionsFor('/admin/settings/seo'), ['content']);
    assert.deepEqual(permissionsFor('/admin/settings/home-page/history'), ['content']);
    assert.deepEqual(permissionsFor('/admin/settings/mail'), ['settings']);
    const editor = { permissions: ['content'] };
    assert.ok(mayOpen(editor, '/admin/settings') && !mayOpen(editor, '/admin/settings/mail'));
    assert.ok(mayOpen({ permissions: ['settings'] }, '/admin/settings'));
    assert.ok(mayOpen(operator, '/admin/settings/saved-reasons'));
    assert.ok(!mayOpen(operator, '/admin/settings/desk'));
  });

  it('lets in who has it, and nobody into a part without', () => {
    assert.ok(mayOpen(operator, '/admin/exchanges/CX-1'));
    assert.ok(mayOpen(operator, '/admin'));
    assert.ok(!mayOpen(operator, '/admin/mail'));
    assert.ok(!may(null, 'desk'));
  });
});
