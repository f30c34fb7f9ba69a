/** Which variables of the environment beat a group of settings, and what holds then: never a secret. Pure. */
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

/** The fields of the group that those variables decide. */
export function inForce(
  { mail: { server, from }, providers }: Pick<Config, 'mail' | 'providers'>,
  slug: SettingSlug,
): Record<string, unknown> {
  if (slug === 'mail') {
    return {
      ...(server && {
        host: server.host,
        port: server.port,
        security: server.security,
        username: server.username,
      }),
      ...(from && { from_name: from.name, from_address: from.address }),
    };
  }
  if (slug !== 'sign-in-providers') return {};
  const { google, facebook } = providers;
  return {
    ...(google && { google: { enabled: true, client_id: google.id } }),
    ...(facebook && { facebook: { enabled: true, client_id: facebook.id } }),
  };
}
