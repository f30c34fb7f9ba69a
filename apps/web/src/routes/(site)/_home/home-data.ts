/** The data of the home page, fetched in parallel; a part that fails shows a message. */
import type { HomePage } from '@cambist/contract/home-page';
import { latestExchanges, type LatestExchange } from '@cambist/contract/exchanges';
import { converter, ratesShowcase } from '@cambist/contract/pairs';
import { openingOf } from '#lib/converter/opening.ts';
import { shortFigure } from '#lib/format/short-figure.ts';
import { drawnRates } from '#lib/rates/showcase.ts';
import type { ServerCall } from '#lib/server/relay.ts';
import type { SiteSettings } from '#lib/server/site-settings.ts';
import { renderStatic } from '#lib/server/html/static-part.ts';
import Band from './Band.svelte';
import { layoutOf } from './bands.ts';
import { homeJsonLd } from './json-ld.ts';
import { signPaths } from './signs.ts';

/** Drops trailing zeros of eighteen decimals. */
function shortAmounts(exchange: LatestExchange): LatestExchange {
  const { send_amount, receive_amount } = exchange;
  return {
    ...exchange,
    send_amount: shortFigure(send_amount),
    receive_amount: shortFigure(receive_amount),
  };
}

/** The others are on `/rates`. */
const firstRates = 8;

async function orNull<T>(asked: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asked).data;
  } catch {
    return null;
  }
}

export type HomeData = Awaited<ReturnType<typeof homeData>>;

/** `home` and `site` are the saved settings or a draft. */
export async function homeData(
  call: ServerCall,
  url: URL,
  { home, site }: { readonly home: HomePage; readonly site: SiteSettings },
) {
  const [desk, rates, latest] = await Promise.all([
    orNull(call(converter)),
    orNull(call(ratesShowcase)),
    orNull(call(latestExchanges)),
  ]);
  const { openingStats, bands } = layoutOf(home, { rates, latest });
  const props = {
    home,
    rates: rates && drawnRates(rates.slice(0, firstRates)),
    rateCount: rates?.length ?? 0,
    latest: latest?.map(shortAmounts) ?? null,
    signs: Object.fromEntries(home.features.items.map(({ icon }) => [icon, signPaths[icon]])),
  };
  return {
    hero: home.hero,
    stats: openingStats ? home.stats.items : null,
    structured: homeJsonLd(url.origin, site, home),
    desk,
    opening: desk && openingOf(desk, url.searchParams),
    bands: await Promise.all(
      bands.map(async (sections) => ({
        key: sections.join(' '),
        // Refreshed while the page is open.
        live: sections.some((section) => section === 'rates' || section === 'latest'),
        html: await renderStatic(Band, { ...props, sections }),
      })),
    ),
  };
}
