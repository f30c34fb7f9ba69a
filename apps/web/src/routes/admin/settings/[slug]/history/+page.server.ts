import { getSettings } from '@cambist/contract/settings';
import { listSettingsHistory, restoreSettings } from '@cambist/contract/settings-history';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const [entry, history] = await Promise.all([
    locals.call(getSettings, { params }),
    locals.call(listSettingsHistory, { params }),
  ]);
  return { entry: entry.data, history };
};

export const actions = {
  default: apiAction<typeof restoreSettings>({
    endpoint: restoreSettings,
    read: (form, { params }) => ({
      params: { slug: params['slug'] ?? '', number: Number(form.get('number')) },
      body: { version: Number(form.get('version')), chosen: form.get('chosen') === 'yes' },
    }),
    done: ({ data }) => `/admin/settings/${data.slug}/history`,
  }),
} satisfies Actions;
