import { homeSettings, siteSettings } from '#lib/server/site-settings.ts';
import { homeData } from './_home/home-data.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url, depends }) => {
  depends('home:rates');
  const [site, home] = await Promise.all([siteSettings(), homeSettings()]);
  return homeData(locals.call, url, { home, site });
};
