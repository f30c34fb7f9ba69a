/** The groups of settings, in the order of their list. */
import type { SettingSlug } from '@cambist/contract/settings';
import { m } from '#lib/paraglide/messages.js';

export interface SettingsGroup {
  readonly slug: SettingSlug;
  readonly area: 'site' | 'house';
  readonly title: () => string;
  readonly text: () => string;
}

const known: Readonly<Record<SettingSlug, Omit<SettingsGroup, 'slug'>>> = {
  general: { area: 'site', title: m.settings_general_title, text: m.settings_general_text },
  'home-page': { area: 'site', title: m.settings_home_title, text: m.settings_home_text },
  seo: { area: 'site', title: m.settings_seo_title, text: m.settings_seo_text },
  'custom-css': { area: 'site', title: m.settings_css_title, text: m.settings_css_text },
  'sitemap-robots': { area: 'site', title: m.settings_robots_title, text: m.settings_robots_text },
  mail: { area: 'house', title: m.settings_mail_title, text: m.settings_mail_text },
  'rate-api': { area: 'house', title: m.settings_rates_title, text: m.settings_rates_text },
  feeds: { area: 'house', title: m.settings_feeds_title, text: m.settings_feeds_text },
  'sign-in-providers': {
    area: 'house',
    title: m.settings_providers_group_title,
    text: m.settings_providers_group_text,
  },
  security: { area: 'house', title: m.settings_security_title, text: m.settings_security_text },
};

export const settingsGroups: readonly SettingsGroup[] = Object.entries(known).map(
  ([slug, group]) => ({ slug: slug as SettingSlug, ...group }),
);

export function settingsGroup(slug: string): SettingsGroup | undefined {
  return settingsGroups.find((group) => group.slug === slug);
}
