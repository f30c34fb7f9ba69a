/** What the general form and that of search engines call their fields. */
import type { Words } from '#lib/console/schema-form/words.ts';
import { m } from '#lib/paraglide/messages.js';

export const generalWords: Words = {
  site_name: { label: m.settings_general_site_name },
  company_name: { label: m.settings_general_company_name },
  company_address: { label: m.settings_general_company_address },
  contact_email: {
    label: m.settings_general_contact_email,
    hint: m.settings_general_contact_email_hint,
    as: 'email',
  },
  time_zone: { label: m.settings_general_time_zone, hint: m.settings_general_time_zone_hint },
  max_open_exchanges: {
    label: m.settings_general_max_open,
    hint: m.settings_general_max_open_hint,
  },
  claim_minutes: { label: m.settings_general_claim, hint: m.settings_general_claim_hint },
  undo_minutes: { label: m.settings_general_undo, hint: m.settings_general_undo_hint },
  unpaid_proof_days: {
    label: m.settings_general_unpaid_proofs,
    hint: m.settings_general_unpaid_proofs_hint,
  },
  terms_slug: {
    label: m.settings_general_terms,
    hint: m.settings_general_page_hint,
    as: 'page',
  },
  privacy_slug: {
    label: m.settings_general_privacy,
    hint: m.settings_general_page_hint,
    as: 'page',
  },
  maintenance: {
    label: m.settings_general_maintenance,
    hint: m.settings_general_maintenance_text,
  },
  'maintenance.enabled': { label: m.settings_general_maintenance_on },
  'maintenance.message': {
    label: m.settings_general_maintenance_message,
    hint: m.settings_general_maintenance_message_hint,
    counted: true,
  },
  'maintenance.retry_minutes': { label: m.settings_general_maintenance_minutes },
};

export const customCssWords: Words = {
  css: { label: m.settings_css_field, as: 'code' },
};

const paths = { add: m.settings_robots_add, as: 'figure' } as const;

export const sitemapRobotsWords: Words = {
  noindex: { label: m.settings_robots_noindex, hint: m.settings_robots_noindex_hint },
  listed: {
    label: m.settings_robots_listed,
    hint: m.settings_robots_listed_hint,
    choices: {
      home: m.settings_robots_home,
      rates: m.settings_robots_rates,
      pairs: m.settings_robots_pairs,
      blog: m.settings_robots_blog,
      posts: m.settings_robots_posts,
      tags: m.settings_robots_tags,
      legal_pages: m.settings_robots_legal,
      contact: m.settings_robots_contact,
    },
  },
  disallow: {
    label: m.settings_robots_disallow,
    hint: m.settings_robots_disallow_hint,
    one: m.settings_robots_disallowed,
    ...paths,
  },
  allow: {
    label: m.settings_robots_allow,
    hint: m.settings_robots_allow_hint,
    one: m.settings_robots_allowed,
    ...paths,
  },
};

export const seoWords: Words = {
  title: { label: m.settings_seo_page_title, counted: true },
  title_template: { label: m.settings_seo_template, hint: m.settings_seo_template_hint },
  meta_description: { label: m.settings_seo_description, counted: true },
  og_title: { label: m.settings_seo_og_title, counted: true },
  og_description: { label: m.settings_seo_og_description, counted: true },
  og_image: {
    label: m.settings_seo_og_image,
    hint: m.settings_seo_og_image_hint,
    as: 'shared-picture',
  },
  og_image_alt: { label: m.settings_seo_og_image_alt },
  twitter_card: {
    label: m.settings_seo_card,
    choices: {
      summary: m.settings_seo_card_small,
      summary_large_image: m.settings_seo_card_large,
    },
  },
  twitter_site: { label: m.settings_seo_account, hint: m.settings_seo_account_hint },
};
