/** One direction: its terms come with the converter, its past from its history. */
import { converter } from '@cambist/contract/pairs';
import {
  historyRanges,
  rateHistory,
  type HistoryRange,
  type RateHistory,
} from '@cambist/contract/rate-history';
import {
  directionOf,
  isQuotable,
  stateFromQuery,
  type ConverterData,
  type Direction,
} from '#lib/converter/price.ts';
import { drawChart } from './chart.ts';
import type { PageServerLoad } from './$types.js';

const MOST_OTHERS = 6;

export const load: PageServerLoad = async ({ locals, params, url, depends }) => {
  depends('rates:pair');
  const range = rangeOf(url.searchParams.get('range'));
  const [{ data: history }, { data: desk }] = await Promise.all([
    locals.call(rateHistory, { params: { pair: params.pair }, query: { range } }),
    locals.call(converter),
  ]);
  const { points, ...rest } = history;
  const reverse = `${history.receive.slug}-to-${history.send.slug}`;
  return {
    history: { ...rest, first: points[0]?.at ?? null },
    drawing: drawChart(history),
    desk,
    opening: stateFromQuery(desk, converterQuery(url.searchParams, params.pair)),
    reverse: directionOf(desk, reverse) ?? null,
    others: others(desk, history, reverse),
  };
};

function rangeOf(asked: string | null): HistoryRange {
  return historyRanges.find((each) => each === asked) ?? 'week';
}

/** The converter opens on this pair, unless its form or its links say another one. */
function converterQuery(query: URLSearchParams, pair: string): URLSearchParams {
  return query.has('pair') || query.has('send')
    ? query
    : new URLSearchParams([...query, ['pair', pair]]);
}

/** Open directions that share a unit with this one: those that share both come first. */
function others(desk: ConverterData, { pair, send, receive }: RateHistory, reverse: string) {
  const nearness = (direction: Direction) =>
    Number(direction.send.unit === send.unit) + Number(direction.receive.unit === receive.unit);
  return desk.pairs
    .filter((each) => each.slug !== pair && each.slug !== reverse && isQuotable(each))
    .flatMap(({ slug }) => directionOf(desk, slug) ?? [])
    .filter((direction) => nearness(direction) > 0)
    .toSorted((one, other) => nearness(other) - nearness(one))
    .slice(0, MOST_OTHERS);
}
