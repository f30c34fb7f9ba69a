import { deleteRateAlert, listRateAlerts } from '@cambist/contract/alerts';
import { redirect } from '@sveltejs/kit';
import { ApiError } from '#lib/api/client.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, url, depends }) => {
  depends('account:alerts');
  const { data } = await locals.call(listRateAlerts);
  return {
    alerts: data,
    added: data.find(({ id }) => id === url.searchParams.get('added')) ?? null,
    deleted: url.searchParams.has('deleted'),
  };
};

export const actions = {
  delete: async ({ locals, request }) => {
    const form = await request.formData();
    const id = String(form.get('id') ?? '');
    try {
      await locals.call(deleteRateAlert, { params: { id } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Already deleted in another tab.
      if (error.status !== 404) throw error;
    }
    redirect(303, '/account/alerts?deleted');
  },
} satisfies Actions;
