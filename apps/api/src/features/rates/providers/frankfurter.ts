/** https://frankfurter.dev, version 1: the European Central Bank's reference rates. */
import { field, Numeral } from './lossless-json.ts';
import type { RateProvider } from './provider.ts';
import {
  failedByStatus,
  instantOf,
  lacking,
  ratesOf,
  readJson,
  tableOf,
  unitOf,
  wordsOf,
} from './reading.ts';

export const frankfurter: RateProvider = {
  name: 'frankfurter',
  label: 'Frankfurter (ECB)',
  needsKey: false,
  bases: ['EUR'],

  request: ({ baseUrl }) => ({
    url: new URL(`${baseUrl ?? 'https://api.frankfurter.dev'}/v1/latest`),
    headers: {},
  }),

  read: (answer) =>
    readJson(answer, (body) => {
      const message = wordsOf(field(body, 'message'));
      if (message !== '') return failedByStatus(answer.status, message);
      const find = tableOf(body, 'rates');
      if (find === null) return null;
      const amount = field(body, 'amount');
      const base = unitOf(field(body, 'base'));
      // A date without a time; its midnight is before the fixing, so never in the future.
      const asOf = instantOf(`${wordsOf(field(body, 'date'))}T00:00:00Z`);
      if (!(amount instanceof Numeral) || !/^1(\.0+)?$/.test(amount.text)) {
        return lacking('an amount of 1');
      }
      if (base === null) return lacking('base');
      if (asOf === null) return lacking('date');
      return { ok: true, rates: ratesOf(answer, base, asOf, find) };
    }),
};
