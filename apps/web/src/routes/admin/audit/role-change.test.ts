import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, describe, it } from 'node:test';

// The catalogue is made by the build; here each message says its own name and what was put into it.
const catalogue =
  "export const m = new Proxy({}, { get: (_, key) => (inputs = {}) => [inputs.name, key, inputs.subject, inputs.permissions].filter(Boolean).join('|') });";
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '#lib/paraglide/messages.js'
      ? { url: `data:text/javascript,${encodeURIComponent(catalogue)}`, shortCircuit: true }
      : next(specifier, context),
});
after(() => hooks.deregister());
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
