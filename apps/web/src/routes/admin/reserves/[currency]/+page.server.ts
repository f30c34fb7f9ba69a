import { error } from '@sveltejs/kit';
import { accountKinds, listLedgerEntries, listReserves } from '@cambist/contract/reserves';
import { m } from '#lib/paraglide/messages.js';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const account = accountKinds.find((kind) => kind === url.searchParams.get('account')) ?? null;
  const [reserves, entries] = await Promise.all([
    locals.call(listReserves),
    locals.call(listLedgerEntries, { params, query: account === null ? {} : { account } }),
  ]);
  const reserve = reserves.data.find(({ currency }) => currency.slug === params.currency);
  if (reserve === undefined) error(404, m.ui_error_404_title());
  return { reserve, account, entries };
};
