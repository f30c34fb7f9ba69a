/**
 * Settings by slug: one schema for each. `publicParts` lists, field by field,
 * what anyone may read; everything else is for admins, and secrets for nobody.
 */
import { Type, type Static, type TObject } from 'typebox';
import { adminReads, adminWrites, endpoint, type Permission, publicReads } from './endpoint.ts';
import { wordedActions } from './exchange-records.ts';
import { FeedSettings } from './feeds.ts';
import { HomePage, Href } from './home-page.ts';
import { keyedProviders, RateApi, rateKeyName } from './rate-settings.ts';
import { Desk, Mail, Security, SignInProviders } from './sensitive-settings.ts';
import { CustomCss, Maintenance, SitemapRobots } from './site-wide.ts';
import { maxInteger, nullable, One, Slug, Strict, Time, Words } from './wire.ts';

const text = (maxLength: number) => Type.String({ maxLength });
/** What pages and letters cannot do without. */
const needed = (maxLength: number) => Words(1, maxLength);

export const General = Strict({
  site_name: needed(60),
  company_name: text(120),
  company_address: text(300),
  contact_email: needed(254),
  time_zone: needed(60),
  /** How many exchanges one customer may have open at a time. */
  max_open_exchanges: Type.Integer({ minimum: 1, maximum: 100 }),
  /** How long an operator's claim lasts without being renewed. */
  claim_minutes: Type.Integer({ minimum: 1, maximum: 240 }),
  /** How long a customer may take a submission back. */
  undo_minutes: Type.Integer({ minimum: 0, maximum: 60 }),
  /** How long proofs of an exchange that was cancelled or has expired are kept. */
  unpaid_proof_days: Type.Integer({ minimum: 1, maximum: 365 }),
  terms_slug: Slug,
  privacy_slug: Slug,
  maintenance: Maintenance,
});
export type General = Static<typeof General>;

export const Seo = Strict({
  title: needed(70),
  title_template: needed(100),
  meta_description: text(200),
  og_title: text(100),
  og_description: text(300),
  og_image: nullable(Href),
  /** What that picture shows, to whoever cannot see it. */
  og_image_alt: text(300),
  twitter_card: Type.Enum(['summary', 'summary_large_image'] as const),
  twitter_site: text(40),
});
export type Seo = Static<typeof Seo>;

/** What operators often write to customers, offered in the dialog of its action. */
export const SavedReasons = Strict({
  reasons: Type.Array(
    Strict({ action: Type.Enum(wordedActions), title: needed(60), text: Words(3, 500) }),
    { maxItems: 100 },
  ),
});

/** Every slug with its schema. A slug that is not here does not exist. */
export const settingSchemas = {
  'home-page': HomePage,
  general: General,
  seo: Seo,
  'custom-css': CustomCss,
  'sitemap-robots': SitemapRobots,
  mail: Mail,
  security: Security,
  desk: Desk,
  'saved-reasons': SavedReasons,
  'sign-in-providers': SignInProviders,
  'rate-api': RateApi,
  feeds: FeedSettings,
} as const satisfies Record<string, TObject>;
export type SettingSlug = keyof typeof settingSchemas;
export type SettingValue<S extends SettingSlug> = Static<(typeof settingSchemas)[S]>;

/** What an admin must be allowed who reads or writes a slug's settings. */
export const settingPermissions = {
  'home-page': 'content',
  general: 'settings',
  seo: 'content',
  'custom-css': 'content',
  'sitemap-robots': 'content',
  mail: 'settings',
  security: 'settings',
  desk: 'settings',
  'saved-reasons': 'desk',
  'sign-in-providers': 'settings',
  'rate-api': 'settings',
  feeds: 'settings',
} as const satisfies Record<SettingSlug, Permission>;
export const bySettingSlug = { param: 'slug', of: settingPermissions } as const;

/** The fields that anyone may read. */
export const publicParts = {
  'home-page': [
    'order',
    'hero',
    'stats',
    'rates',
    'latest',
    'features',
    'how_it_works',
    'testimonials',
    'faq',
    'newsletter',
    'footer',
    'social',
  ],
  general: [
    'site_name',
    'company_name',
    'company_address',
    'contact_email',
    'time_zone',
    'undo_minutes',
    'terms_slug',
    'privacy_slug',
    'maintenance',
  ],
  seo: [
    'title',
    'title_template',
    'meta_description',
    'og_title',
    'og_description',
    'og_image',
    'og_image_alt',
    'twitter_card',
    'twitter_site',
  ],
  'custom-css': ['css'],
  'sitemap-robots': ['noindex', 'listed', 'disallow', 'allow'],
  mail: [],
  security: [],
  desk: [],
  'saved-reasons': [],
  'sign-in-providers': [],
  'rate-api': [],
  feeds: [],
} as const satisfies { [S in SettingSlug]: readonly (keyof SettingValue<S>)[] };

export type PublicSetting<S extends SettingSlug> = Pick<
  SettingValue<S>,
  (typeof publicParts)[S][number] & keyof SettingValue<S>
>;

/** What goes on a line of any service: letters of ASCII, digits, marks and spaces, but not spaces alone. */
export const secretPattern = '^ *[\\x21-\\x7e][\\x20-\\x7e]*$';

/** The secrets that each slug may hold: written by admins, used by the service, shown to nobody. */
export const settingSecrets: { readonly [S in SettingSlug]?: readonly string[] } = {
  mail: ['password'],
  'sign-in-providers': ['google_client_secret', 'facebook_client_secret'],
  'rate-api': keyedProviders.map(rateKeyName),
};

/**
 * Changing one of these could redirect emails, let strangers in, have wrong rates accepted or
 * dress pages up as others: needs a fresh confirmation.
 */
export const freshSettings: readonly SettingSlug[] = [
  'mail',
  'security',
  'desk',
  'sign-in-providers',
  'rate-api',
  'custom-css',
];

export const bySlug = Strict({ slug: Slug });

/** `data` is the public part of the slug's schema: `PublicSetting<slug>`. */
export const getPublicSettings = endpoint({
  ...publicReads,
  path: '/api/settings/{slug}',
  summary: 'The public part of one group of settings.',
  params: bySlug,
  reply: One(Type.Record(Type.String(), Type.Unknown())),
});

/** `data` has each slug that has a public part at all, by its name: one question for what every page needs. */
export const getSiteSettings = endpoint({
  ...publicReads,
  path: '/api/settings',
  summary: 'The public parts of all groups of settings.',
  reply: One(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
});

export const SettingsEntry = Type.Object({
  slug: Slug,
  value: Type.Record(Type.String(), Type.Unknown()),
  version: Type.Integer(),
  saved_by: nullable(Type.String()),
  saved_at: nullable(Time),
  /** The JSON Schema of `value`: the console makes its form of it. */
  schema: Type.Record(Type.String(), Type.Unknown()),
  /** Variables of the environment that take precedence over this group. */
  overridden_by: Type.Array(Type.String()),
  /** Those that the slug may hold; the last four of a secret so short that they tell much are empty. */
  secrets: Type.Array(
    Type.Object({
      name: Type.String(),
      set: Type.Boolean(),
      last_four: Type.String(),
      updated_at: nullable(Time),
    }),
  ),
});
export type SettingsEntry = Static<typeof SettingsEntry>;

export const getSettings = endpoint({
  ...adminReads(bySettingSlug),
  path: '/api/admin/settings/{slug}',
  summary: 'One whole group of settings, without its secrets.',
  params: bySlug,
  reply: One(SettingsEntry),
});

export const putSettings = endpoint({
  ...adminWrites(bySettingSlug),
  method: 'PUT',
  path: '/api/admin/settings/{slug}',
  summary:
    'Replaces one group of settings, checked against its schema; mail, security, the desk, sign-in providers, rates and custom CSS need a fresh confirmation.',
  params: bySlug,
  body: Strict({
    version: Type.Integer({ minimum: 0, maximum: maxInteger }),
    value: Type.Record(Type.String(), Type.Unknown()),
  }),
  checksText: true,
  reply: One(SettingsEntry),
  refusals: ['version_conflict', 'confirmation_required'],
});

/**
 * Stored sealed and never shown again; null removes it. The
 * password of `mail` is refused before a server is named, and removed when another one is.
 */
export const putSettingSecret = endpoint({
  ...adminWrites(bySettingSlug),
  method: 'PUT',
  path: '/api/admin/settings/{slug}/secrets/{name}',
  fresh: true,
  summary: 'Sets or removes one secret of a group of settings.',
  params: Strict({ slug: Slug, name: Type.String({ pattern: '^[a-z][a-z_]{0,59}$' }) }),
  body: Strict({
    secret: Type.Union([
      Type.String({ minLength: 1, maxLength: 1000, pattern: secretPattern }),
      Type.Null(),
    ]),
  }),
  reply: One(SettingsEntry),
  refusals: ['confirmation_required'],
});
