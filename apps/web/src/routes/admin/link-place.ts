/** Where a link stands, as the console names and opens it. */
import type { Link } from '@cambist/contract/linking';
import { m } from '#lib/paraglide/messages.js';
import { settingsGroup } from './settings/groups.ts';

export function linkPlace({ kind, id, title }: Link): { href: string; name: string } {
  const named = (fallback: string) => title || fallback;
  switch (kind) {
    case 'settings':
      return {
        href: `/admin/settings/${id}`,
        name: m.posts_link_settings({ name: settingsGroup(id)?.title ?? id }),
      };
    case 'post':
      return {
        href: `/admin/blog/${id}`,
        name: m.posts_link_post({ name: named(m.posts_untitled()) }),
      };
    case 'legal_page':
      return {
        href: `/admin/legal-pages/${id}`,
        name: m.posts_link_page({ name: named(m.legal_admin_untitled()) }),
      };
    case 'campaign':
      return {
        href: `/admin/campaigns/${id}`,
        name: m.posts_link_campaign({ name: named(m.campaigns_untitled()) }),
      };
    case 'sent_campaign':
      return {
        href: `/admin/campaigns/${id}`,
        name: m.posts_link_campaign_sent({ name: title }),
      };
  }
}
