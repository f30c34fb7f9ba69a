/** What somebody could do before and after a change of their role, in words. Pure. */
import type { AuditEvent } from '@cambist/contract/audit';
import { permissions } from '@cambist/contract/endpoint';
import { permissionWord } from '#lib/admin/permission-words.ts';
import { m } from '#lib/paraglide/messages.js';

export interface RoleChange {
  /** Null for somebody who was nobody here before. */
  readonly before: string | null;
  readonly after: string;
}

/** Null for an event that changes no role. */
export function roleChangeOf({
  action,
  data,
}: Pick<AuditEvent, 'action' | 'data'>): RoleChange | null {
  const before = standingOf(data['before']);
  switch (action) {
    case 'users.role_changed': {
      const after = standingOf(data['after']);
      return after === null ? null : { before, after };
    }
    case 'auth.admin_granted':
    case 'auth.admin_created': {
      const after = standingOf({ role: 'admin', permissions: data['permissions'] });
      return after === null ? null : { before, after };
    }
    default:
      return null;
  }
}

function standingOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { role, permissions: held } = value as { role?: unknown; permissions?: unknown };
  if (role !== 'admin') return role === 'user' ? m.people_audit_role_user() : null;
  const names = permissions.filter((each) => Array.isArray(held) && held.includes(each));
  return names.length === 0
    ? m.people_audit_role_admin_none()
    : m.people_audit_role_admin({ permissions: names.map(permissionWord).join(', ') });
}
