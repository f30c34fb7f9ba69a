/** The permissions of admins in words. */
import type { Permission } from '@cambist/contract/endpoint';
import { m } from '#lib/paraglide/messages.js';

const words: Record<Permission, { name: () => string; text: () => string }> = {
  desk: { name: m.people_permission_desk, text: m.people_permission_desk_text },
  money: { name: m.people_permission_money, text: m.people_permission_money_text },
  content: { name: m.people_permission_content, text: m.people_permission_content_text },
  users: { name: m.people_permission_users, text: m.people_permission_users_text },
  settings: { name: m.people_permission_settings, text: m.people_permission_settings_text },
};

export function permissionWord(permission: Permission): string {
  return words[permission].name();
}

/** What it opens. */
export function permissionText(permission: Permission): string {
  return words[permission].text();
}
