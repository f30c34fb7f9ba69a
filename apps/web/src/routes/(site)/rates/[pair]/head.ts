/** Title and description of a pair's page. */
import { historyRanges, type HistoryRange, type RateHistory } from '@cambist/contract/rate-history';
import { isQuotable, type Direction } from '#lib/converter/price.ts';
import { formatFigure } from '#lib/format/figure.ts';
import { m } from '#lib/paraglide/messages.js';
import { getLocale } from '#lib/paraglide/runtime.js';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { pairJsonLd } from './json-ld.ts';
import { feesInWords } from './terms-words.ts';

export function headOf(
  { pair, send, receive }: RateHistory,
  direction: Direction | undefined,
  site: SiteSettings,
  origin: string,
) {
  const channels = m.site_rate_heading({ send: send.channel, receive: receive.channel });
  const units = { send: send.unit, receive: receive.unit };
  const heading = m.site_rate_heading(units);
  const title = m.site_rate_title({ ...units, channels });
  const names = { sendName: send.name, receiveName: receive.name };
  const said = { heading, channels, title };
  if (direction === undefined)
    return { ...said, description: m.site_rate_description_paused(names), structured: undefined };
  const rate = formatFigure(direction.pair.rate, getLocale());
  return {
    ...said,
    description: m.site_rate_description({ rate, ...units, ...names }),
    structured: pairJsonLd({
      origin,
      path: `/rates/${pair}`,
      site,
      title,
      heading,
      direction,
      quotable: isQuotable(direction.pair),
      fees: feesInWords(direction),
      allRates: m.site_nav_rates(),
    }),
  };
}

/** Links to the ranges; the default one has the plain address. */
export function rangeTabs(pair: string, range: HistoryRange) {
  const labels = {
    day: m.site_rate_chart_day,
    week: m.site_rate_chart_week,
    month: m.site_rate_chart_month,
    year: m.site_rate_chart_year,
  };
  return historyRanges.map((each) => ({
    href: each === 'week' ? `/rates/${pair}` : `/rates/${pair}?range=${each}`,
    label: labels[each](),
    current: each === range,
  }));
}

export function spanOf(range: HistoryRange): string {
  const spans = {
    day: m.site_rate_chart_in_day,
    week: m.site_rate_chart_in_week,
    month: m.site_rate_chart_in_month,
    year: m.site_rate_chart_in_year,
  };
  return spans[range]();
}
