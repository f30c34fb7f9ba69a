import { getSettings } from '@cambist/contract/settings';
import { getSettingsRevision, listSettingsRevisions } from '@cambist/contract/settings-revisions';
import { chosenRevision } from '#lib/console/revisions/chosen-revision.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params: { slug }, url }) => {
  const number = chosenRevision(url);
  const [entry, revisions, chosen] = await Promise.all([
    locals.call(getSettings, { params: { slug } }),
    locals.call(listSettingsRevisions, { params: { slug } }),
    number === null ? null : locals.call(getSettingsRevision, { params: { slug, number } }),
  ]);
  return { entry: entry.data, revisions, chosen: chosen?.data ?? null };
};
