import { listCurrencies } from '@cambist/contract/currencies';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => ({
  currencies: (await locals.call(listCurrencies)).data,
});
