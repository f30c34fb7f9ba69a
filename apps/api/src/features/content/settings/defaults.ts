/** The settings of a new desk: complete, true of every desk, without links that only some have. */
import { feedFiles } from '@cambist/contract/feeds';
import type { SettingSlug, SettingValue } from '@cambist/contract/settings';
import { siteMapParts } from '@cambist/contract/site-wide';
import homePage from './home-page-defaults.json' with { type: 'json' };
import savedReasons from './saved-reasons-defaults.json' with { type: 'json' };

const general: SettingValue<'general'> = {
  site_name: 'Cambist',
  company_name: 'Cambist',
  company_address: '',
  contact_email: 'desk@localhost.localdomain',
  time_zone: 'UTC',
  max_open_exchanges: 5,
  claim_minutes: 15,
  undo_minutes: 5,
  unpaid_proof_days: 30,
  terms_slug: 'terms',
  privacy_slug: 'privacy',
  maintenance: { enabled: false, message: '', retry_minutes: 30 },
};

const seo: SettingValue<'seo'> = {
  title: 'Cambist: change money at a rate that holds',
  title_template: '%s · Cambist',
  meta_description:
    'Exchange currencies at a rate that is shown in full, locked while you pay, and followed by people until the money arrives.',
  og_title: 'Change money at a rate that holds',
  og_description:
    'The whole price before you pay, a locked rate, and a timeline from the first step to the payout.',
  og_image: null,
  og_image_alt: '',
  twitter_card: 'summary',
  twitter_site: '',
};

const sitemapRobots: SettingValue<'sitemap-robots'> = {
  noindex: false,
  // A tag's page has nothing that its posts do not say.
  listed: siteMapParts.filter((part) => part !== 'tags'),
  disallow: [],
  allow: [],
};

const security: SettingValue<'security'> = {
  two_factor_for_admins: 'default',
  fresh_approval_above: [],
};

const desk: SettingValue<'desk'> = {
  second_approver_above: [],
  tolerance: [],
  rate_hold_hours: 24,
  answer_hours: 72,
  payout_change_hours: 24,
  payee_cooling_hours: 24,
  reporting_unit: 'USD',
  customer_day_limit: '0',
  customer_month_limit: '0',
  new_customer_reserve_percent: 20,
  reserve_display_cap: [],
  low_reserve: [],
  unseen_minutes: 60,
};

const signInProviders: SettingValue<'sign-in-providers'> = {
  google: { enabled: false, client_id: '' },
  facebook: { enabled: false, client_id: '' },
};

/** Off, and ready to be switched on: Frankfurter needs no key. */
const rateApi: SettingValue<'rate-api'> = {
  enabled: false,
  providers: [{ name: 'frankfurter', feed: 'central_bank', monthly_quota: null, cadence_hours: 1 }],
  jump_percent: '10',
  day_percent: '30',
  delayed_minutes: 90,
  stale_minutes: 180,
  delayed_lock_minutes: 5,
  max_age_hours: { hourly: 3, daily: 26, central_bank: 120 },
};

/** An operator looks at every exchange, and an account is needed for each: both are always true here. */
const feeds: SettingValue<'feeds'> = {
  enabled: true,
  files: [...feedFiles],
  key: '',
  flags: ['manual', 'reg'],
  pair_flags: [],
  excluded: [],
  cities: [],
};

const mail: SettingValue<'mail'> = {
  host: '',
  port: 587,
  security: 'starttls',
  username: '',
  from_name: '',
  from_address: '',
  reply_to: '',
  campaign_emails_per_minute: 120,
};

/** By slug. A desk without legal pages must not link to them, so the seed adds those links. */
export const settingDefaults: { readonly [S in SettingSlug]: SettingValue<S> } = {
  'home-page': homePage as SettingValue<'home-page'>,
  general,
  seo,
  'custom-css': { css: '' },
  'sitemap-robots': sitemapRobots,
  mail,
  security,
  desk,
  'saved-reasons': savedReasons as SettingValue<'saved-reasons'>,
  'sign-in-providers': signInProviders,
  'rate-api': rateApi,
  feeds,
};
