import { getExchange } from '@cambist/contract/exchanges';
import { getStatusLink } from '@cambist/contract/status-link';
import { error } from '@sveltejs/kit';
import { m } from '#lib/paraglide/messages.js';
import type { PageServerLoad } from './$types.js';

export const load: PageServerLoad = async ({ locals, params }) => {
  const number = params.number.toUpperCase();
  // What cannot be a number is simply not here; the API would call it invalid.
  if (!/^CX-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(number)) error(404, m.ui_error_404_title());
  const [exchange, link] = await Promise.all([
    locals.call(getExchange, { params: { number } }),
    locals.call(getStatusLink, { params: { number } }),
  ]);
  return { exchange: exchange.data, statusUrl: link.data.url };
};
