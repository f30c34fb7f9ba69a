/** Where a link stands, as the console names and opens it. */
import type { Link } from '@cambist/contract/linking';
import { m } from '#lib/paraglide/messages.js';
import { settingsGroup } from './settings/groups.ts';

const folders: Record<Link['kind'], string> = {
  settings: 'settings',
  post: 'blog',
  legal_page: 'legal-pages',
  campaign: 'campaigns',
  sent_campaign: 'campaigns',
};

const names: Record<Link['kind'], (link: Link) => string> = {
  settings: ({ id }) => m.posts_link_settings({ name: settingsGroup(id)?.title ?? id }),
  post: ({ title }) => m.posts_link_post({ name: title || m.posts_untitled() }),
  legal_page: ({ title }) => m.posts_link_page({ name: title || m.legal_admin_untitled() }),
  campaign: ({ title }) => m.posts_link_campaign({ name: title || m.campaigns_untitled() }),
  sent_campaign: ({ title }) => m.posts_link_campaign_sent({ name: title }),
};

export const linkPlace = (link: Link) => ({
  href: `/admin/${folders[link.kind]}/${link.id}`,
  name: names[link.kind](link),
});
