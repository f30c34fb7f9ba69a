/**
 * Which permission each part of the console needs. The service decides at every
 * call; from this the navigation leaves out what would be refused, and a page
 * can say what is missing. Pure.
 */
import type { Permission } from '@cambist/contract/endpoint';

const parts: readonly (readonly [string, Permission])[] = [
  ['/admin/exchanges', 'desk'],
  ['/admin/pairs', 'money'],
  ['/admin/rates', 'money'],
  ['/admin/feeds', 'money'],
  ['/admin/currencies', 'money'],
  ['/admin/reserves', 'money'],
  ['/admin/blog', 'content'],
  ['/admin/legal-pages', 'content'],
  ['/admin/media', 'content'],
  ['/admin/messages', 'content'],
  ['/admin/feature-reports', 'content'],
  ['/admin/subscribers', 'content'],
  ['/admin/users', 'users'],
  ['/admin/campaigns', 'content'],
  ['/admin/audit', 'users'],
  ['/admin/mail', 'settings'],
  ['/admin/tasks', 'settings'],
  ['/admin/settings', 'settings'],
];

type Holder = { readonly permissions: readonly string[] } | null;

/** Null where any admin may be. */
export function permissionFor(pathname: string): Permission | null {
  const part = parts.find(([path]) => pathname === path || pathname.startsWith(`${path}/`));
  return part?.[1] ?? null;
}

export function may(holder: Holder, permission: Permission): boolean {
  return holder?.permissions.includes(permission) ?? false;
}

/** Whether the page at this path would show more than a refusal. */
export function mayOpen(holder: Holder, pathname: string): boolean {
  const permission = permissionFor(pathname);
  return permission === null || may(holder, permission);
}
