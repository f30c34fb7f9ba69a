/** Which pictures of the library the settings show, so that none is deleted that is still seen. */
import type { SettingSlug } from '@cambist/contract/settings';
import { invalid } from '#kernel/refusal.ts';
import { isMissing, notePastUses, noteUses } from '#features/content/media/media.ts';
import type { Tx } from '#platform/database.ts';

/** Groups that can show pictures, as the console calls them. */
const names: { readonly [S in SettingSlug]?: string } = {
  'custom-css': 'Custom CSS',
  'home-page': 'Home page',
  seo: 'Search engines and sharing',
};

/** Those of the new value, and of the one before, which can be put back. */
export async function noteShownPictures(
  tx: Tx,
  slug: SettingSlug,
  { before, value }: { readonly before: object; readonly value: object },
): Promise<void> {
  const label = names[slug];
  if (label === undefined) return;
  const subject = { kind: 'settings', id: slug, label, href: `/admin/settings/${slug}` };
  await notePastUses(tx, subject, [JSON.stringify(before)]);
  await noteUses(tx, subject, [JSON.stringify(value)]);
}

/**
 * What was stored before is no obstacle, as long as it stays.
 * @throws {Refusal} 422 on `og_image`
 */
export async function refuseMissingPicture(
  tx: Tx,
  before: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { og_image: picture } = value;
  if (typeof picture !== 'string' || picture === before['og_image']) return;
  if (await isMissing(tx, picture)) throw invalid({ og_image: 'The library has no such picture.' });
}
