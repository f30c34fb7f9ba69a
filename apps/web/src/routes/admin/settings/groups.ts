/** The groups of settings, in the order of their list. */
import type { SettingSlug } from '@cambist/contract/settings';
import groups from './groups.json' with { type: 'json' };

export interface SettingsGroup {
  readonly slug: SettingSlug;
  readonly area: 'site' | 'desk';
  readonly title: string;
  readonly text: string;
}

export const settingsGroups = Object.entries(groups).map(([slug, group]) => ({
  slug,
  ...group,
})) as readonly SettingsGroup[];

export function settingsGroup(slug: string): SettingsGroup | undefined {
  return settingsGroups.find((group) => group.slug === slug);
}
