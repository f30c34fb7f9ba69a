/**
 * The settings that every page needs: name, footer, social links, metadata.
 * Kept for a few seconds, since every page asks, and kept on when the API is
 * away, so that a visitor still meets a whole page.
 */
import { listPosts } from '@cambist/contract/blog';
import type { SettingSlug, PublicSetting } from '@cambist/contract/settings';
import { getPublicSettings } from '@cambist/contract/settings';
import type { ServerCall } from './relay.ts';

const keepMs = 3_000;

export interface SiteSettings {
  general: Partial<PublicSetting<'general'>>;
  seo: Partial<PublicSetting<'seo'>>;
  footer: PublicSetting<'home-page'>['footer'];
  social: PublicSetting<'home-page'>['social'];
  /** Whether a post is published, so that pages lead to the blog. */
  has_blog: boolean;
}

const bare: SiteSettings = {
  general: {},
  seo: {},
  footer: { note: '', columns: [] },
  social: [],
  has_blog: false,
};

let kept: { settings: SiteSettings; at: number } | null = null;

async function read<S extends SettingSlug>(call: ServerCall, slug: S): Promise<PublicSetting<S>> {
  const { data } = await call(getPublicSettings, { params: { slug } });
  return data as PublicSetting<S>;
}

async function hasPosts(call: ServerCall): Promise<boolean> {
  const { meta } = await call(listPosts, { query: { per_page: 1 } });
  return meta.total > 0;
}

/** Never throws: without any answer yet, the page is plainer. */
export async function siteSettings(call: ServerCall): Promise<SiteSettings> {
  if (kept !== null && Date.now() - kept.at < keepMs) return kept.settings;
  try {
    const [general, seo, home, has_blog] = await Promise.all([
      read(call, 'general'),
      read(call, 'seo'),
      read(call, 'home-page'),
      hasPosts(call),
    ]);
    const settings = { general, seo, footer: home.footer, social: home.social, has_blog };
    kept = { settings, at: Date.now() };
    return settings;
  } catch {
    return kept?.settings ?? bare;
  }
}
