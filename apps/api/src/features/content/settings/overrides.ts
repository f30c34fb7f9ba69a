/** The variables of the environment that take precedence over a group of settings. Pure. */
import type { SettingSlug } from '@cambist/contract/settings';
import type { Config } from '#app/config.ts';

export function overriddenBy(
  { mail, providers }: Pick<Config, 'mail' | 'providers'>,
  slug: SettingSlug,
): string[] {
  if (slug === 'mail') {
    return [
      ...(mail.server === null ? [] : ['MAIL_URL']),
      ...(mail.from === null ? [] : ['MAIL_FROM']),
    ];
  }
  if (slug === 'sign-in-providers') {
    return [
      ...(providers.google === null ? [] : ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']),
      ...(providers.facebook === null ? [] : ['FACEBOOK_CLIENT_ID', 'FACEBOOK_CLIENT_SECRET']),
    ];
  }
  return [];
}
