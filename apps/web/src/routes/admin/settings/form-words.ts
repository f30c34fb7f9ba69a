/** What each group's form is called by: its parts, its fields and its secrets. */
import { rateKeyName, keyedProviders } from '@cambist/contract/rate-settings';
import type { SettingSlug } from '@cambist/contract/settings';
import type { Group, NamedShape } from '#lib/console/schema-form/shape.ts';
import type { Words } from '#lib/console/schema-form/words.ts';
import { providerName } from '#lib/rates/provider-name.ts';
import { m } from '#lib/paraglide/messages.js';
import { feedWords } from './words-feeds.ts';
import { homePageWords } from './words-home-page.ts';
import { mailWords, providerWords, securityWords } from './words-house.ts';
import { rateWords } from './words-rates.ts';
import { customCssWords, generalWords, seoWords, sitemapRobotsWords } from './words-site.ts';

interface Part {
  readonly title: () => string;
  readonly text?: () => string;
  /** Keys of the group's own fields. */
  readonly fields: readonly string[];
}

export interface FormWords {
  readonly words: Words;
  /** Single fields are gathered under these; groups and lists are parts by themselves. */
  readonly parts: readonly Part[];
  readonly secrets: Readonly<Record<string, () => string>>;
}

export const formWords: Readonly<Record<SettingSlug, FormWords>> = {
  'home-page': { words: homePageWords, parts: [], secrets: {} },
  general: {
    words: generalWords,
    parts: [
      {
        title: m.settings_general_names,
        text: m.settings_general_names_text,
        fields: ['site_name', 'company_name', 'company_address', 'contact_email'],
      },
      {
        title: m.settings_general_work,
        text: m.settings_general_work_text,
        fields: [
          'time_zone',
          'max_open_exchanges',
          'claim_minutes',
          'undo_minutes',
          'unpaid_proof_days',
        ],
      },
      {
        title: m.settings_general_legal,
        text: m.settings_general_legal_text,
        fields: ['terms_slug', 'privacy_slug'],
      },
    ],
    secrets: {},
  },
  seo: {
    words: seoWords,
    parts: [
      {
        title: m.settings_seo_search,
        text: m.settings_seo_search_text,
        fields: ['title', 'title_template', 'meta_description'],
      },
      {
        title: m.settings_seo_share,
        text: m.settings_seo_share_text,
        fields: [
          'og_title',
          'og_description',
          'og_image',
          'og_image_alt',
          'twitter_card',
          'twitter_site',
        ],
      },
    ],
    secrets: {},
  },
  'custom-css': {
    words: customCssWords,
    parts: [{ title: m.settings_css_sheet, text: m.settings_css_sheet_text, fields: ['css'] }],
    secrets: {},
  },
  'sitemap-robots': {
    words: sitemapRobotsWords,
    parts: [{ title: m.settings_robots_found, fields: ['noindex'] }],
    secrets: {},
  },
  feeds: {
    words: feedWords,
    parts: [{ title: m.settings_feeds_publishing, fields: ['enabled', 'costs', 'key'] }],
    secrets: {},
  },
  mail: {
    words: mailWords,
    parts: [
      {
        title: m.settings_mail_server,
        text: m.settings_mail_server_text,
        fields: ['host', 'port', 'security', 'username'],
      },
      {
        title: m.settings_mail_sender,
        text: m.settings_mail_sender_text,
        fields: ['from_name', 'from_address', 'reply_to'],
      },
      { title: m.settings_mail_campaigns, fields: ['campaign_emails_per_minute'] },
    ],
    secrets: { password: m.settings_mail_password },
  },
  security: {
    words: securityWords,
    parts: [
      {
        title: m.settings_security_admins,
        text: m.settings_security_admins_text,
        fields: ['two_factor_for_admins'],
      },
    ],
    secrets: {},
  },
  'sign-in-providers': {
    words: providerWords,
    parts: [],
    secrets: {
      google_client_secret: m.settings_providers_google_secret,
      facebook_client_secret: m.settings_providers_facebook_secret,
    },
  },
  'rate-api': {
    words: rateWords,
    parts: [
      { title: m.settings_rates_switch, fields: ['enabled'] },
      {
        title: m.settings_rates_providers,
        text: m.settings_rates_providers_hint,
        fields: ['providers'],
      },
      {
        title: m.settings_rates_guards,
        text: m.settings_rates_guards_text,
        fields: [
          'jump_percent',
          'day_percent',
          'delayed_minutes',
          'delayed_lock_minutes',
          'stale_minutes',
        ],
      },
    ],
    secrets: Object.fromEntries(
      keyedProviders.map((name) => [
        rateKeyName(name),
        () => m.settings_rates_key({ name: providerName(name) }),
      ]),
    ),
  },
};

export interface FormPart {
  readonly key: string;
  readonly title: string;
  readonly text: string | undefined;
  readonly fields: readonly NamedShape[];
}

/** The parts of a form in their order: those that are named, then what stands for itself. */
export function partsOf(shape: Group, { words, parts }: FormWords): FormPart[] {
  const named = parts.map(({ title, text, fields }) => ({
    key: fields.join(),
    title: title(),
    text: text?.(),
    fields: shape.fields.filter(({ key }) => fields.includes(key)),
  }));
  const taken = new Set(parts.flatMap(({ fields }) => fields));
  const rest = shape.fields.filter(({ key }) => !taken.has(key));
  const isPart = ({ shape: { kind } }: NamedShape) =>
    kind === 'group' || kind === 'list' || kind === 'ticks' || kind === 'order';
  const own = rest.filter(isPart).map((field) => ({
    key: field.key,
    title: words[field.key]?.label() ?? field.key,
    text: words[field.key]?.hint?.(),
    fields: [field],
  }));
  const single = rest.filter((field) => !isPart(field));
  const more = { key: '', title: m.settings_part_more(), text: undefined, fields: single };
  return [...named, ...own, ...(single.length > 0 ? [more] : [])];
}
