/**
 * A public page as a guest sees it, with a style sheet that is not saved. Scripts are removed, and
 * the policy keeps the rest from running in a frame or in a tab of its own.
 */
import { error, redirect, type RequestHandler } from '@sveltejs/kit';
import { cookieName as localeCookie } from '#lib/paraglide/runtime.js';
import { withoutStyleAndScript, withDraftOf } from '#lib/server/css-preview.ts';
import { themeCookie } from '#lib/browser/theme.ts';
import { checkedDraft } from '../../checked-draft.ts';
import { pagesToPreview } from '../pages.ts';

export const GET: RequestHandler = () => redirect(303, '/admin/settings/custom-css');

export const POST: RequestHandler = async ({ request, locals, fetch, cookies }) => {
  const form = await request.formData();
  const { css } = await checkedDraft(locals.call, 'custom-css', form);
  const path = String(form.get('page') ?? '/');
  const pages = await pagesToPreview(locals.call);
  if (!pages.some(({ value }) => value === path)) error(404, 'Not Found');

  const looks = cookies.getAll().filter(({ name }) => [localeCookie, themeCookie].includes(name));
  const page = await fetch(path, {
    // A guest's page; a closed site has none, and is open to who closed it.
    credentials: locals.wide.maintenance?.enabled ? 'same-origin' : 'omit',
    headers: {
      accept: 'text/html',
      cookie: looks.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    redirect: 'manual',
  });
  const policy = page.headers.get('content-security-policy');
  if (!page.ok || policy === null) error(page.ok ? 500 : page.status);
  const draft = withDraftOf(css, { path, html: withoutStyleAndScript(await page.text()), policy });
  return new Response(draft.html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': draft.policy,
      'x-frame-options': 'SAMEORIGIN',
    },
  });
};
