/** A pair: its terms from the converter's data, its rates from its history. */
import { converter } from '@cambist/contract/pairs';
import {
  historyRanges,
  rateHistory,
  type HistoryRange,
  type RateHistory,
} from '@cambist/contract/rate-history';
import { redirect } from '@sveltejs/kit';
import { monitoredPair, openingOf } from '#lib/converter/opening.ts';
import {
  directionOf,
  isQuotable,
  type ConverterData,
  type Direction,
} from '#lib/converter/price.ts';
import { renderStatic } from '#lib/server/html/static-part.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import Beginning from './Beginning.svelte';
import Below from './Below.svelte';
import { askedIn } from './asked-alert.ts';
import { drawChart } from './chart.ts';
import { figuresOf } from './figures.ts';
import Headline from './Headline.svelte';
import { headOf, rangeTabs, spanOf } from './head.ts';
import HistoryRows from './HistoryRows.svelte';
import Moved from './Moved.svelte';
import { alertForm, setAlert } from './set-alert.ts';
import { hoursTerm, termsInWords } from './terms-words.ts';
import type { Actions, PageServerLoad } from './$types.js';

const MOST_OTHERS = 6;

export const actions = { alert: setAlert } satisfies Actions;

export const load: PageServerLoad = async ({ locals, params, url, depends }) => {
  const plain = params.pair.toLowerCase();
  // Typed by hand; one address is enough.
  if (plain !== params.pair) redirect(301, `/rates/${plain}${url.search}`);
  depends('rates:pair');
  const range = rangeOf(url.searchParams.get('range'));
  const [site, { data: history }, { data: desk }] = await Promise.all([
    siteSettings(),
    locals.call(rateHistory, { params: { pair: params.pair }, query: { range } }),
    locals.call(converter),
  ]);
  const { pair, send, receive } = history;
  // A monitor's link may name another pair than the page.
  const meant = monitoredPair(desk, url.searchParams);
  if (meant !== undefined && meant !== pair)
    redirect(307, `/rates/${meant}?${withoutMonitor(url.searchParams)}`);
  const direction = directionOf(desk, pair);
  const reverseSlug = `${receive.slug}-to-${send.slug}`;
  const reverse = directionOf(desk, reverseSlug);
  const beside = others(desk, history, reverseSlug);
  const head = headOf(history, direction, site, url.origin);
  const moved = await movedIn(history, url.searchParams.get('figures'));
  const zone = site.general.time_zone ?? 'UTC';
  const hours = direction ? hoursTerm(direction.pair, zone) : null;
  const common = { send, receive, others: beside };
  return {
    pair,
    head,
    offered: direction !== undefined,
    tabs: rangeTabs(pair, range),
    moved,
    desk,
    opening: openingOf(desk, converterQuery(url.searchParams, pair)),
    headline: await renderStatic(Headline, {
      ...common,
      head,
      direction: direction ?? null,
      hours,
    }),
    movedStatic: await (moved
      ? renderStatic(Moved, moved)
      : renderStatic(Beginning, beginningIn(history))),
    alert: direction ? await alertForm(history, locals.user, askedIn(url.searchParams)) : '',
    below: direction
      ? await renderStatic(Below, {
          ...common,
          direction,
          reverse,
          terms: termsInWords(direction, desk.customer_limits, zone),
        })
      : '',
  };
};

/** Null when there is nothing to draw: no rate, or only the first. */
async function movedIn(history: RateHistory, page: string | null) {
  const { range, send, receive, change, since, points } = history;
  const drawing = drawChart(history);
  if (drawing === null) return null;
  const { rows, ...pages } = figuresOf(history, page);
  const first = points[0]?.at ?? since;
  return {
    drawing,
    figures: { ...pages, rows: await renderStatic(HistoryRows, { rows }) },
    send: send.unit,
    receive: receive.unit,
    change,
    span: spanOf(range),
    since: first > since ? first : null,
  };
}

function beginningIn({ points, send, receive }: RateHistory) {
  return { first: points[0] ?? null, send: send.unit, receive: receive.unit };
}

function rangeOf(asked: string | null): HistoryRange {
  return historyRanges.find((each) => each === asked) ?? 'week';
}

/** The converter opens with this pair, unless the query names another. */
function converterQuery(query: URLSearchParams, pair: string): URLSearchParams {
  return query.has('pair') || query.has('send')
    ? query
    : new URLSearchParams([...query, ['pair', pair]]);
}

function withoutMonitor(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([key]) => !key.startsWith('cur_')));
}

/** Open pairs that share a unit with this one; those that share both come first. */
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
