/** The groups of settings whose draft can be seen as the page, or the files, that it makes. */
import type { SettingSlug } from '@cambist/contract/settings';

export const previewed = [
  'home-page',
  'seo',
  'custom-css',
  'sitemap-robots',
] as const satisfies readonly SettingSlug[];
export type Previewed = (typeof previewed)[number];

export function isPreviewed(slug: string): slug is Previewed {
  return (previewed as readonly string[]).includes(slug);
}
