/** The theme switch without script: saves the choice and redirects back. */
import { redirect } from '@sveltejs/kit';
import { safeNext } from '#lib/account/next-path.ts';
import { parseTheme, themeCookie, themeMaxAge } from '#lib/browser/theme.ts';
import type { RequestHandler } from './$types.js';

export const POST: RequestHandler = async ({ request, cookies, url }) => {
  const form = await request.formData();
  const theme = parseTheme(String(form.get('theme') ?? ''));
  // Not httpOnly, since script changes it too.
  cookies.set(themeCookie, theme, {
    path: '/',
    maxAge: themeMaxAge,
    sameSite: 'lax',
    httpOnly: false,
    secure: url.protocol === 'https:',
  });
  redirect(303, safeNext(String(form.get('next') ?? ''), '/'));
};
