import { subscribe } from '@cambist/contract/newsletter';
import { signs } from '#lib/contact/typed-message.ts';
import { getLocale } from '#lib/paraglide/runtime.js';
import { apiAction } from '#lib/server/form-action.ts';
import { formStamp } from '#lib/server/form-stamp.ts';
import type { Actions, PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  stamp: await formStamp(locals.call),
});

export const actions = {
  default: apiAction<typeof subscribe, { sent: true }>({
    endpoint: subscribe,
    read: (form) => {
      const email = String(form.get('email') ?? '').trim();
      return { body: { email, locale: getLocale(), ...signs(form) } };
    },
    done: () => ({ sent: true }),
  }),
} satisfies Actions;
