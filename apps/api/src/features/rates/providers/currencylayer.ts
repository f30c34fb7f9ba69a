/** https://currencylayer.com/documentation */
import type { RateProvider } from './provider.ts';
import { keyedAddress, readQuotes } from './apilayer.ts';

export const currencylayer: RateProvider = {
  name: 'currencylayer',
  label: 'currencylayer',
  needsKey: true,
  bases: ['USD'],

  // No `currencies`: one that it does not know would fail the whole request (202).
  request: ({ key, baseUrl }) => ({
    url: keyedAddress(`${baseUrl ?? 'https://api.currencylayer.com'}/live`, key),
    headers: {},
  }),

  read: readQuotes,
};
