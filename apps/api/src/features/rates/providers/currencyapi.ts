/** https://currencyapi.com/docs/latest, version 3. */
import { field, type Json } from './lossless-json.ts';
import type { RateProvider, Reading } from './provider.ts';
import {
  failed,
  failedByStatus,
  instantOf,
  lacking,
  ratesOf,
  readJson,
  tableOf,
  withoutFigure,
  wordsOf,
} from './reading.ts';

/** The answer does not contain it. */
const BASE = 'USD';

/** Errors have a status; 422 names the refused fields. */
function errorOf(status: number, body: Json): Reading | null {
  const message = wordsOf(field(body, 'message'));
  if (message === '') return null;
  if (status === 403) return failed('plan_restricted', message);
  const errors = field(body, 'errors');
  const refused = ['base_currency', 'currencies'].find((name) => field(errors, name) !== undefined);
  if (status === 422 && refused !== undefined) {
    return failed('unsupported_currency', `${message}: ${refused}`);
  }
  return failedByStatus(status, message);
}

/** Each entry repeats its key; with another code it is ambiguous. */
function isNamedAs(entry: Json | undefined, unit: string): boolean {
  const code = field(entry, 'code');
  return code === undefined || code === unit;
}

/** Undefined where there is no entry. */
function valueOf(entry: Json | undefined): Json | undefined {
  if (entry === undefined) return undefined;
  const value = field(entry, 'value');
  return value === undefined ? withoutFigure(entry) : value;
}

export const currencyapi: RateProvider = {
  name: 'currencyapi',
  label: 'currencyapi',
  needsKey: true,
  bases: [BASE],

  request: ({ key, baseUrl }) => ({
    url: new URL(`${baseUrl ?? 'https://api.currencyapi.com'}/v3/latest?base_currency=${BASE}`),
    headers: { apikey: key ?? '' },
  }),

  read: (answer) =>
    readJson(answer, (body) => {
      const error = errorOf(answer.status, body);
      if (error !== null) return error;
      const find = tableOf(body, 'data');
      if (find === null) return null;
      const asOf = instantOf(field(body, 'meta', 'last_updated_at'));
      if (asOf === null) return lacking('last_updated_at');
      if (answer.units.some((unit) => !isNamedAs(find(unit), unit)))
        return failed('malformed', 'An entry of its answer bears another code than its key.');
      const rates = ratesOf(answer, BASE, asOf, (unit) => valueOf(find(unit)));
      return { ok: true, rates };
    }),
};
