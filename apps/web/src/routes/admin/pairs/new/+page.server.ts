import { listCurrencies } from '@cambist/contract/currencies';
import { listPairs } from '@cambist/contract/pairs';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals }) => {
  const [currencies, pairs] = await Promise.all([
    locals.call(listCurrencies),
    locals.call(listPairs),
  ]);
  return {
    currencies: currencies.data,
    taken: pairs.data.map(({ send, receive }) => ({ send: send.slug, receive: receive.slug })),
  };
};
