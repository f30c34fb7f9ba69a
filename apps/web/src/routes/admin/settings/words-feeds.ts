/** What the form of the feeds calls its fields. */
import { feedFiles, type FeedFlag } from '@cambist/contract/feeds';
import type { Words } from '#lib/console/schema-form/words.ts';
import { m } from '#lib/paraglide/messages.js';

const files = Object.fromEntries(feedFiles.map((name) => [name, () => name]));
const flags: Readonly<Record<FeedFlag, () => string>> = {
  manual: m.settings_feeds_flag_manual,
  reg: m.settings_feeds_flag_reg,
  verifying: m.settings_feeds_flag_verifying,
  cardverify: m.settings_feeds_flag_cardverify,
  juridical: m.settings_feeds_flag_juridical,
  card2card: m.settings_feeds_flag_card2card,
  auth: m.settings_feeds_flag_auth,
};

export const feedWords: Words = {
  enabled: { label: m.settings_feeds_enabled, hint: m.settings_feeds_enabled_hint },
  files: {
    label: m.settings_feeds_files,
    hint: m.settings_feeds_files_hint,
    choices: files,
  },
  costs: {
    label: m.settings_feeds_costs,
    hint: m.settings_feeds_costs_hint,
    choices: { inside: m.settings_feeds_costs_inside, tags: m.settings_feeds_costs_tags },
  },
  key: { label: m.settings_feeds_key, hint: m.settings_feeds_key_hint },
  flags: {
    label: m.settings_feeds_flags,
    hint: m.settings_feeds_flags_hint,
    choices: flags,
  },
  pair_flags: {
    label: m.settings_feeds_pair_flags,
    hint: m.settings_feeds_pair_flags_hint,
    one: m.settings_feeds_pair_one,
    add: m.settings_feeds_pair_add,
  },
  'pair_flags.pair': { label: m.settings_feeds_pair, hint: m.settings_feeds_pair_hint },
  'pair_flags.flags': {
    label: m.settings_feeds_flags,
    choices: flags,
  },
  excluded: {
    label: m.settings_feeds_excluded,
    hint: m.settings_feeds_excluded_hint,
    one: m.settings_feeds_excluded_one,
    add: m.settings_feeds_pair_add,
  },
  cities: {
    label: m.settings_feeds_cities,
    hint: m.settings_feeds_cities_hint,
    one: m.settings_feeds_currency_one,
    add: m.settings_feeds_currency_add,
  },
  'cities.currency': { label: m.settings_feeds_currency, as: 'currency' },
  'cities.cities': {
    label: m.settings_feeds_city,
    one: m.settings_feeds_city_one,
    add: m.settings_feeds_city_add,
  },
};
