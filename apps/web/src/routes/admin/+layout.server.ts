import { error } from '@sveltejs/kit';
import { queueCounts } from '@cambist/contract/desk';
import { may } from '#lib/admin/permissions.ts';
import { ApiError } from '#lib/api.ts';
import { m } from '#lib/paraglide/messages.js';
import type { LayoutServerLoad } from './$types.js';

/** The API guards every admin call; this only shows a page that says so. */
export const load: LayoutServerLoad = async ({ locals }) => {
  if (locals.user === null) error(503, m.ui_error_503_title());
  if (locals.user.role !== 'admin') error(403, m.ui_error_403_title());
  if (!may(locals.user, 'desk')) return { user: locals.user, counts: null };
  const counts = await locals.call(queueCounts).then(
    ({ data }) => data,
    (failure: unknown) => {
      // Navigation without counts is still navigation.
      if (failure instanceof ApiError) return null;
      throw failure;
    },
  );
  return { user: locals.user, counts };
};
