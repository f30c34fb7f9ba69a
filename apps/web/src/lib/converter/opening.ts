/**
 * How the converter of a public page opens. For the server: links of exchange
 * monitors are understood here, and the browser is told what came of them.
 */
import type { ConverterCurrency, ConverterPair } from '@cambist/contract/pairs';
import {
  findPair,
  stateFromQuery,
  type ConverterData,
  type Direction,
  type Side,
} from './price.ts';

export interface Opening {
  direction: Direction;
  side: Side;
  amount: string;
  /** The address names another direction, which the desk does not offer now. */
  elsewhere: boolean;
}

/** Null where the desk offers nothing at all. */
export function openingOf(data: ConverterData, query: URLSearchParams): Opening | null {
  const named = pairInQuery(data, query);
  const pair = named ?? nearest(data, query);
  const asked = new URLSearchParams(query);
  if (pair) {
    asked.set('send', pair.send);
    asked.set('receive', pair.receive);
  }
  const state = stateFromQuery(data, asked);
  return state && { ...state, elsewhere: named === null };
}

/**
 * The direction that an address names: by its form (`send`, `receive`), by `pair`, or as monitors
 * link here, by the codes or slugs of the currencies in `cur_from` and `cur_to`.
 * `undefined`: it names none. `null`: one that the desk does not offer now.
 */
function pairInQuery(
  data: ConverterData,
  query: URLSearchParams,
): ConverterPair | null | undefined {
  const name = (key: string) => query.get(key) ?? '';
  const chosen = findPair(data, name('send'), name('receive'));
  if (chosen) return chosen;
  if (query.has('pair')) return data.pairs.find(({ slug }) => slug === name('pair')) ?? null;
  if (!query.has('cur_from') || !query.has('cur_to')) return undefined;
  const [from, to] = [monitored(data, name('cur_from')), monitored(data, name('cur_to'))];
  return (from && to && findPair(data, from.slug, to.slug)) ?? null;
}

/** The slug of the offered pair that a monitor's link names; undefined where it names none. */
export function monitoredPair(data: ConverterData, query: URLSearchParams): string | undefined {
  if (!query.has('cur_from') || !query.has('cur_to')) return undefined;
  const asked = new URLSearchParams([...query].filter(([key]) => key.startsWith('cur_')));
  return pairInQuery(data, asked)?.slug;
}

/** A currency by the code that monitors know it by, or by its slug, in any case. */
function monitored(data: ConverterData, name: string): ConverterCurrency | undefined {
  const [code, slug] = [name.toUpperCase(), name.toLowerCase()];
  return data.currencies.find((each) => each.export_code === code || each.slug === slug);
}

/** A pair that has at least one of the sides that a monitor's link names. */
function nearest(data: ConverterData, query: URLSearchParams): ConverterPair | undefined {
  const from = monitored(data, query.get('cur_from') ?? '');
  const to = monitored(data, query.get('cur_to') ?? '');
  return (
    data.pairs.find(({ send }) => send === from?.slug) ??
    data.pairs.find(({ receive }) => receive === to?.slug)
  );
}
