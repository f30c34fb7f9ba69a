import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { standInMessages } from '#lib/test/stand-in.ts';

// Each message says its own name and what was put into it.
standInMessages(
  "(key) => (inputs = {}) => [inputs.name, key, inputs.subject, inputs.permissions].filter(Boolean).join('|')",
);
const { roleChangeOf } = await import('./role-change.ts');

const customer = { role: 'user', permissions: [] };
const clerk = { role: 'admin', permissions: ['desk', 'users'] };

describe('a change of a role', () => {
  it('is told from what to what', () => {
    const made = roleChangeOf({
      action: 'users.role_changed',
      data: { before: customer, after: clerk },
    });
    assert.deepEqual(made, {
      before: 'people_audit_role_user',
      after: 'people_audit_role_admin|people_permission_desk, people_permission_users',
    });
    const ended = roleChangeOf({
      action: 'users.role_changed',
      data: { before: { role: 'admin', permissions: [] }, after: customer },
    });
    assert.deepEqual(ended, {
      before: 'people_audit_role_admin_none',
      after: 'people_audit_role_user',
    });
  });

  it('is told of admins made by the command too', () => {
    const data = { before: customer, permissions: ['desk'] };
    const granted = roleChangeOf({ action: 'auth.admin_granted', data });
    assert.equal(granted?.after, 'people_audit_role_admin|people_permission_desk');
    const created = roleChangeOf({ action: 'auth.admin_created', data: { permissions: ['desk'] } });
    assert.equal(created?.before, null);
  });

  it('is nothing that other events hold', () => {
    assert.equal(roleChangeOf({ action: 'users.disabled', data: { before: customer } }), null);
    assert.equal(roleChangeOf({ action: 'users.role_changed', data: {} }), null);
  });
});
