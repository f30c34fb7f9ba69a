/** The legal pages that settings name: sign-up leads to them, so they have to be there. */
import type { SettingSlug } from '@cambist/contract/settings';
import { invalid } from '#kernel/refusal.ts';
import { isOnTheSite, presentAddress } from '#features/content/legal-pages/legal-pages.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { settingDefaults } from './defaults.ts';
import { findSettings } from './store.ts';

const named = ['terms_slug', 'privacy_slug'] as const;

/** The same with each page by its present address: it may have had another when it was chosen. */
export async function withPresentPages<V extends Readonly<Record<string, unknown>>>(
  db: Db | Tx,
  slug: SettingSlug,
  value: V,
): Promise<V> {
  if (slug !== 'general') return value;
  const present = named.map(
    async (field) => [field, await presentAddress(db, String(value[field]))] as const,
  );
  return { ...value, ...Object.fromEntries(await Promise.all(present)) };
}

/**
 * What was stored before is no obstacle: another field can be saved while a page is
 * off the site.
 * @throws {Refusal} 422 by field
 */
export async function refuseMissingPages(
  tx: Tx,
  slug: SettingSlug,
  before: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (slug !== 'general') return;
  const errors: Record<string, string> = {};
  for (const field of named) {
    const page = String(value[field]);
    if (page !== before[field] && !(await isOnTheSite(tx, page))) {
      errors[field] = `No legal page is on the site at /${page}.`;
    }
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The paths of the pages that the settings name now. */
export async function pathsLedTo(tx: Tx): Promise<string[]> {
  const row = await findSettings(tx, 'general');
  const value: Readonly<Record<string, unknown>> = { ...settingDefaults.general, ...row?.value };
  return named.map((field) => `/${String(value[field])}`);
}
