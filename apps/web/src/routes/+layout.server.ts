import { siteSettings } from '#lib/server/site-settings.ts';
import type { LayoutServerLoad } from './$types.js';

export const load: LayoutServerLoad = async ({ locals, url }) => ({
  user: locals.user,
  theme: locals.theme,
  origin: url.origin,
  site: await siteSettings(),
});
