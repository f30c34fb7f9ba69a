/**
 * The initial state of the converter on a public page, including the links of exchange monitors.
 * For the server.
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
  /** The address asks for a pair that is not available now. */
  elsewhere: boolean;
}

/** Null when no pair is available. */
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
 * The pair in the query: `send` and `receive` of the form, `pair`, or `cur_from` and `cur_to` of
 * monitors with codes or slugs. `undefined`: none. `null`: one that is not available now.
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

/** The slug of the pair in a monitor's link; undefined when there is none. */
export function monitoredPair(data: ConverterData, query: URLSearchParams): string | undefined {
  if (!query.has('cur_from') || !query.has('cur_to')) return undefined;
  const asked = new URLSearchParams([...query].filter(([key]) => key.startsWith('cur_')));
  return pairInQuery(data, asked)?.slug;
}

/** A currency by its monitor code or its slug, in any case. */
function monitored(data: ConverterData, name: string): ConverterCurrency | undefined {
  const [code, slug] = [name.toUpperCase(), name.toLowerCase()];
  return data.currencies.find((each) => each.export_code === code || each.slug === slug);
}

/** A pair that has one of the sides of a monitor's link. */
function nearest(data: ConverterData, query: URLSearchParams): ConverterPair | undefined {
  const from = monitored(data, query.get('cur_from') ?? '');
  const to = monitored(data, query.get('cur_to') ?? '');
  return (
    data.pairs.find(({ send }) => send === from?.slug) ??
    data.pairs.find(({ receive }) => receive === to?.slug)
  );
}
