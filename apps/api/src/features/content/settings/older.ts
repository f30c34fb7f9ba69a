/** What an older version would be today. */
import { settingSchemas, type SettingSlug } from '@cambist/contract/settings';
import { Value } from 'typebox/value';
import type { Deps } from '#platform/deps.ts';
import { findVersion } from './history.ts';
import { withDefaults } from './stored.ts';

/**
 * The value of an older version as today's schema would have it: fields that
 * came since have their defaults, fields that went are left out. Half points stay:
 * their editor is asked for the rest.
 * @throws {Refusal} 404
 */
export async function valueOfVersion(
  { db }: Pick<Deps, 'db'>,
  slug: SettingSlug,
  number: number,
): Promise<Record<string, unknown>> {
  const value = withDefaults(slug, await findVersion(db, slug, number));
  return Object(Value.Clean(settingSchemas[slug], structuredClone(value)));
}
