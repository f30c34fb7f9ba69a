/** What the forms of mail, security and the sign-in providers call their fields. */
import type { Words } from '#lib/console/schema-form/words.ts';
import { m } from '#lib/paraglide/messages.js';

export const mailWords: Words = {
  host: { label: m.settings_mail_host, hint: m.settings_mail_host_hint, as: 'figure' },
  port: { label: m.settings_mail_port, hint: m.settings_mail_port_hint },
  security: {
    label: m.settings_mail_security,
    choices: {
      tls: m.settings_mail_security_tls,
      starttls: m.settings_mail_security_starttls,
      none: m.settings_mail_security_none,
    },
  },
  username: { label: m.settings_mail_username, hint: m.settings_mail_username_hint, as: 'figure' },
  from_name: { label: m.settings_mail_from_name },
  from_address: {
    label: m.settings_mail_from_address,
    hint: m.settings_mail_from_address_hint,
    as: 'email',
  },
  reply_to: { label: m.settings_mail_reply_to, hint: m.settings_mail_reply_to_hint, as: 'email' },
  campaign_emails_per_minute: {
    label: m.settings_mail_campaign_pace,
    hint: m.settings_mail_campaign_pace_hint,
  },
};

/** With what only the environment can have chosen. */
export function decidedWords(words: Words): Words {
  if (words !== mailWords) return words;
  const choices = { ...words['security']?.choices, offered: m.settings_mail_security_offered };
  return { ...words, security: { label: m.settings_mail_security, choices } };
}

export const securityWords: Words = {
  two_factor_for_admins: {
    label: m.settings_security_two_factor,
    hint: m.settings_security_two_factor_hint,
    choices: {
      default: m.settings_security_two_factor_default,
      on: m.settings_security_two_factor_on,
      off: m.settings_security_two_factor_off,
    },
  },
  fresh_approval_above: {
    label: m.settings_security_large,
    hint: m.settings_security_large_text,
    one: m.settings_security_large_one,
    add: m.settings_security_large_add,
  },
  'fresh_approval_above.currency': { label: m.settings_security_currency, as: 'currency' },
  'fresh_approval_above.amount': { label: m.settings_security_amount, as: 'amount' },
};

export const providerWords: Words = {
  google: { label: m.settings_providers_google, hint: m.settings_providers_google_text },
  facebook: { label: m.settings_providers_facebook, hint: m.settings_providers_facebook_text },
  '*.enabled': { label: m.settings_providers_enabled, hint: m.settings_providers_enabled_hint },
  'google.client_id': { label: m.settings_providers_client_id, as: 'figure' },
  'facebook.client_id': { label: m.settings_providers_app_id, as: 'figure' },
};
