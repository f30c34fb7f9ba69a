/** What the form of the rate synchronisation calls its fields. */
import { cadences, rateProviders } from '@cambist/contract/rate-settings';
import type { Words } from '#lib/console/schema-form/words.ts';
import { providerName } from '#lib/rates/provider-name.ts';
import { m } from '#lib/paraglide/messages.js';

const names = Object.fromEntries(rateProviders.map((name) => [name, () => providerName(name)]));

const hours = Object.fromEntries(
  cadences.map((every) => [String(every), () => m.settings_rates_cadence_every({ hours: every })]),
);

export const rateWords: Words = {
  enabled: { label: m.settings_rates_enabled, hint: m.settings_rates_enabled_hint },
  providers: {
    label: m.settings_rates_providers,
    hint: m.settings_rates_providers_hint,
    one: m.settings_rates_provider_one,
    add: m.settings_rates_provider_add,
    rows: names,
  },
  'providers.name': { label: m.settings_rates_provider, choices: names },
  'providers.feed': {
    label: m.settings_rates_feed,
    choices: {
      hourly: m.settings_rates_feed_hourly,
      daily: m.settings_rates_feed_daily,
      central_bank: m.settings_rates_feed_central_bank,
    },
  },
  'providers.monthly_quota': { label: m.settings_rates_quota, hint: m.settings_rates_quota_hint },
  'providers.cadence_hours': {
    label: m.settings_rates_cadence,
    hint: m.settings_rates_cadence_hint,
    choices: hours,
  },
  jump_percent: { label: m.settings_rates_jump, hint: m.settings_rates_jump_hint, as: 'figure' },
  day_percent: { label: m.settings_rates_day, hint: m.settings_rates_day_hint, as: 'figure' },
  delayed_minutes: { label: m.settings_rates_delayed, hint: m.settings_rates_delayed_hint },
  stale_minutes: { label: m.settings_rates_stale, hint: m.settings_rates_stale_hint },
  delayed_lock_minutes: { label: m.settings_rates_lock, hint: m.settings_rates_lock_hint },
  max_age_hours: { label: m.settings_rates_max_age, hint: m.settings_rates_max_age_hint },
  'max_age_hours.hourly': { label: m.settings_rates_age_hourly },
  'max_age_hours.daily': { label: m.settings_rates_age_daily },
  'max_age_hours.central_bank': { label: m.settings_rates_age_central_bank },
};
