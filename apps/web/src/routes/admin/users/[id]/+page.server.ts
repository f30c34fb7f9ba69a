import { getDeskCustomer, listCustomerExchanges } from '@cambist/contract/customers';
import { getUserDetail, listUserSessions } from '@cambist/contract/users';
import { may } from '#lib/console/permissions.ts';
import type { PageServerLoad } from './$types.js';

/** The exchanges for the desk, the account for who looks after users; of a deleted account the exchanges remain. */
export const load: PageServerLoad = async ({ locals: { call, user }, params }) => {
  const desk = may(user, 'desk')
    ? await Promise.all([
        call(getDeskCustomer, { params }),
        call(listCustomerExchanges, { params }),
      ])
    : null;
  const customer = desk?.[0].data ?? null;
  const account =
    may(user, 'users') && !customer?.deleted_at
      ? await Promise.all([call(getUserDetail, { params }), call(listUserSessions, { params })])
      : null;
  return {
    customer,
    exchanges: desk?.[1] ?? null,
    person: account?.[0].data ?? null,
    sessions: account?.[1].data ?? customer?.sessions ?? [],
  };
};
