/** https://exchangerate.host/documentation; since 2023 the same shape as currencylayer's. */
import type { RateProvider } from './provider.ts';
import { keyedAddress, readQuotes } from './apilayer.ts';

export const exchangerateHost: RateProvider = {
  name: 'exchangerate-host',
  label: 'exchangerate.host',
  needsKey: true,
  bases: ['USD'],

  // No `currencies`: one that it does not know would fail the whole request (202).
  request: ({ key, baseUrl }) => ({
    url: keyedAddress(`${baseUrl ?? 'https://api.exchangerate.host'}/live`, key),
    headers: {},
  }),

  read: readQuotes,
};
