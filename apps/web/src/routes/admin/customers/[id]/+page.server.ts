import { getDeskCustomer, listCustomerExchanges } from '@cambist/contract/customers';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const [customer, exchanges] = await Promise.all([
    locals.call(getDeskCustomer, { params }),
    locals.call(listCustomerExchanges, { params }),
  ]);
  return { customer: customer.data, exchanges };
};
