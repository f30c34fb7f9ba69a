import { converter } from '@cambist/contract/pairs';
import { askReserveAlert } from '@cambist/contract/alerts';
import { error } from '@sveltejs/kit';
import { signs } from '#lib/contact/typed-message.ts';
import { directionOf } from '#lib/converter/price.ts';
import { getLocale } from '#lib/paraglide/runtime.js';
import { apiAction } from '#lib/server/form-action.ts';
import { formStamp } from '#lib/server/form-stamp.ts';
import type { Actions, PageServerLoad } from './$types.js';

const canonical = /^\d{1,30}(\.\d{1,18})?$/;

export const load: PageServerLoad = async ({ locals, url }) => {
  const [{ data: desk }, stamp] = await Promise.all([
    locals.call(converter),
    formStamp(locals.call),
  ]);
  const direction = directionOf(desk, url.searchParams.get('pair') ?? '');
  const amount = url.searchParams.get('amount') ?? '';
  if (direction === undefined || !canonical.test(amount)) error(404);
  const { unit, name, channel } = direction.receive;
  const pair = direction.pair.slug;
  return { pair, amount, unit, name, channel, stamp, email: locals.user?.email ?? '' };
};

export const actions = {
  default: apiAction<typeof askReserveAlert, { sent: true }>({
    endpoint: askReserveAlert,
    read: (form, { url }) => ({
      body: {
        pair: url.searchParams.get('pair') ?? '',
        amount: url.searchParams.get('amount') ?? '',
        email: String(form.get('email') ?? '').trim(),
        locale: getLocale(),
        ...signs(form),
      },
    }),
    done: () => ({ sent: true }),
  }),
} satisfies Actions;
