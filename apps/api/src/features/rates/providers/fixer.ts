/** https://fixer.io/documentation */
import type { RateProvider } from './provider.ts';
import { keyedAddress, readApilayer } from './apilayer.ts';

export const fixer: RateProvider = {
  name: 'fixer',
  label: 'Fixer',
  needsKey: true,
  bases: ['EUR'],

  // No `base`: the free plan has euros only. No `symbols`: an unknown one fails the request (202).
  request: ({ key, baseUrl }) => ({
    url: keyedAddress(`${baseUrl ?? 'https://data.fixer.io'}/api/latest`, key),
    headers: {},
  }),

  read: (answer) =>
    readApilayer(answer, { base: 'base', table: 'rates', nameOf: (_base, unit) => unit }),
};
