import { subscribe } from '@cambist/contract/newsletter';
import { getLocale } from '#lib/paraglide/runtime.js';
import { apiAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types.js';

const text = (form: FormData, name: string) => String(form.get(name) ?? '').trim();

export const actions = {
  default: apiAction<typeof subscribe, { sent: true }>({
    endpoint: subscribe,
    read: (form) => {
      const website = text(form, 'website');
      const email = text(form, 'email');
      return { body: { email, locale: getLocale(), ...(website === '' ? {} : { website }) } };
    },
    done: () => ({ sent: true }),
  }),
} satisfies Actions;
