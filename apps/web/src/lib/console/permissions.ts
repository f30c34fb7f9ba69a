/**
 * Which permission each part of the console needs. The service decides at every
 * call; from this the navigation leaves out what would be refused, and a page
 * can say what is missing. Pure.
 */
import { permissionsFor as permissionsOf, type Permission } from '@cambist/contract/endpoint';
import { bySettingSlug } from '@cambist/contract/settings';

const parts: readonly (readonly [string, Permission])[] = [
  ['/admin/exchanges', 'desk'],
  ['/admin/pairs', 'money'],
  ['/admin/rates', 'money'],
  ['/admin/feeds', 'money'],
  ['/admin/currencies', 'money'],
  ['/admin/reserves', 'money'],
  ['/admin/pending-changes', 'money'],
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
];

type Holder = { readonly permissions: readonly string[] } | null;

/** Any one of these; none where any admin may be. Each group of settings has its own. */
export function permissionsFor(pathname: string): readonly Permission[] {
  const settings = /^\/admin\/settings(?:\/([^/]+)|$)/.exec(pathname);
  if (settings) return permissionsOf({ permission: bySettingSlug }, { slug: settings[1] });
  // A person's exchanges are for the desk, their account for who looks after users.
  if (pathname.startsWith('/admin/users/')) return ['desk', 'users'];
  const part = parts.find(([path]) => pathname === path || pathname.startsWith(`${path}/`));
  return part === undefined ? [] : [part[1]];
}

export function may(holder: Holder, permission: Permission): boolean {
  return holder?.permissions.includes(permission) ?? false;
}

/** Whether the page at this path would show more than a refusal. */
export function mayOpen(holder: Holder, pathname: string): boolean {
  const needed = permissionsFor(pathname);
  return needed.length === 0 || needed.some((permission) => may(holder, permission));
}
