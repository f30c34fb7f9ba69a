/** Which pictures of the library the settings show, so that none is deleted that is still seen. */
import type { SettingSlug } from '@cambist/contract/settings';
import { noteUses } from '#features/media/media.ts';
import type { Tx } from '#platform/database.ts';

/** Groups with fields for pictures, as the console calls them. */
const names: { readonly [S in SettingSlug]?: string } = {
  'home-page': 'Home page',
  seo: 'Search engines and sharing',
};

export async function noteShownPictures(tx: Tx, slug: SettingSlug, value: object): Promise<void> {
  const label = names[slug];
  if (label === undefined) return;
  const subject = { kind: 'settings', id: slug, label, href: `/admin/settings/${slug}` };
  await noteUses(tx, subject, [JSON.stringify(value)]);
}
