import { error } from '@sveltejs/kit';
import { m } from '#lib/paraglide/messages.js';
import type { LayoutServerLoad } from './$types.js';

/** hooks.server.ts redirects guests; without a user here the API was down. */
export const load: LayoutServerLoad = ({ locals }) => {
  if (locals.user === null) error(503, m.ui_error_503_title());
  return { user: locals.user };
};
