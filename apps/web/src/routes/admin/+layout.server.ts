import { error } from '@sveltejs/kit';
import { listContactSubmissions } from '@cambist/contract/contact';
import { queueCounts } from '@cambist/contract/desk';
import { getRatesStatus } from '@cambist/contract/rates';
import { may } from '#lib/console/permissions.ts';
import { ApiError } from '#lib/api/client.ts';
import { m } from '#lib/paraglide/messages.js';
import type { LayoutServerLoad } from './$types.js';

/** The API guards every admin call; this only shows a page that says so. */
export const load: LayoutServerLoad = async ({ locals }) => {
  if (locals.user === null) error(503, m.ui_error_503_title());
  if (locals.user.role !== 'admin') error(403, m.ui_error_403_title());
  const [counts, ratesStatus, inbox] = await Promise.all([
    may(locals.user, 'desk') ? known(locals.call(queueCounts)) : null,
    may(locals.user, 'money') ? known(locals.call(getRatesStatus)) : null,
    may(locals.user, 'content') ? newMessages(locals.call) : null,
  ]);
  return { user: locals.user, counts, ratesStatus, inbox };
};

async function newMessages(call: App.Locals['call']): Promise<number | null> {
  const asked = call(listContactSubmissions, { query: { per_page: 1 } });
  return known(asked.then(({ counts }) => ({ data: counts.new })));
}

/** Navigation without counts is still navigation. */
async function known<T>(question: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await question).data;
  } catch (failure) {
    if (failure instanceof ApiError) return null;
    throw failure;
  }
}
