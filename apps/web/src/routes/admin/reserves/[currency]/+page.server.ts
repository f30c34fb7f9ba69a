import { error } from '@sveltejs/kit';
import { listPendingChanges } from '@cambist/contract/pending-changes';
import { accountKinds, listLedgerEntries, listReserves } from '@cambist/contract/reserves';
import { m } from '#lib/paraglide/messages.js';
import { orElse } from '#lib/api/or-else.ts';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params, url }) => {
  const account = accountKinds.find((kind) => kind === url.searchParams.get('account')) ?? null;
  const [reserves, entries, changes] = await Promise.all([
    locals.call(listReserves),
    locals.call(listLedgerEntries, { params, query: account === null ? {} : { account } }),
    orElse(locals.call(listPendingChanges), { data: [] }),
  ]);
  const reserve = reserves.data.find(({ currency }) => currency.slug === params.currency);
  if (reserve === undefined) error(404, m.ui_error_404_title());
  const waiting = changes.data.filter(
    ({ subject, kind }) => subject === params.currency && kind === 'adjustment',
  );
  return { reserve, account, entries, waiting };
};
