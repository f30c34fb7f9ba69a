import { error } from '@sveltejs/kit';
import { m } from '#lib/paraglide/messages.js';
import type { LayoutServerLoad } from './$types.js';

/** The API guards every admin call; this only shows a page that says so. */
export const load: LayoutServerLoad = ({ locals }) => {
  if (locals.user === null) error(503, m.ui_error_503_title());
  if (locals.user.role !== 'admin') error(403, m.ui_error_403_title());
  return { user: locals.user };
};
