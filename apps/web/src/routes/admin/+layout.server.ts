import { error } from '@sveltejs/kit';
import { listContactSubmissions } from '@cambist/contract/contact';
import { queueCounts } from '@cambist/contract/desk';
import { getRatesStatus } from '@cambist/contract/rates';
import { may } from '#lib/console/permissions.ts';
import { m } from '#lib/paraglide/messages.js';
import { orElse } from '#lib/api/or-else.ts';
import type { LayoutServerLoad } from './$types.js';

/** The API guards every admin call; this only shows a page that says so. */
export const load: LayoutServerLoad = async ({ locals }) => {
  const { call, user } = locals;
  if (user === null) error(503, m.ui_error_503_title());
  if (user.role !== 'admin') error(403, m.ui_error_403_title());
  // Navigation without counts is still navigation.
  const [counts, ratesStatus, inbox] = await Promise.all([
    may(user, 'desk') ? orElse(call(queueCounts), null) : null,
    may(user, 'money') ? orElse(call(getRatesStatus), null) : null,
    may(user, 'content')
      ? orElse(call(listContactSubmissions, { query: { per_page: 1 } }), null)
      : null,
  ]);
  return {
    user,
    counts: counts?.data ?? null,
    ratesStatus: ratesStatus?.data ?? null,
    inbox: inbox?.counts.new ?? null,
  };
};
