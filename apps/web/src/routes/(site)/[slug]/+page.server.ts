import { error } from '@sveltejs/kit';
import { getLegalPage, listLegalPages } from '@cambist/contract/legal-pages';
import { ApiError } from '#lib/api.ts';
import { withContents } from '#lib/contents.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  // What is no slug can be no page: the API need not be asked.
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(params.slug)) error(404);
  try {
    const [{ data: legal }, { data: others }] = await Promise.all([
      locals.call(getLegalPage, { params }),
      locals.call(listLegalPages),
    ]);
    const { body, contents } = withContents(legal.body);
    return {
      legal: { ...legal, body },
      contents,
      others: others.filter(({ slug }) => slug !== legal.slug),
    };
  } catch (refused) {
    if (refused instanceof ApiError && refused.status === 404) error(404);
    throw refused;
  }
};
