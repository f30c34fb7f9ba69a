/**
 * The home page asks for everything at once; a part that does not answer leaves
 * a gap with its reason, and the rest of the page stands.
 */
import type { HomePage } from '@cambist/contract/settings';
import { getPublicSettings } from '@cambist/contract/settings';
import { latestExchanges, type LatestExchange } from '@cambist/contract/exchanges';
import { converter, ratesShowcase } from '@cambist/contract/pairs';
import { openingOf } from '#lib/converter/opening.ts';
import { listFigure } from '#lib/list-figure.ts';
import { drawnRates } from '#lib/rates/showcase.ts';
import { siteSettings } from '#lib/server/site-settings.ts';
import { still } from '#lib/server/still.ts';
import { homeJsonLd } from './_home/json-ld.ts';
import Moving from './_home/Moving.svelte';
import { signPaths } from './_home/signs.ts';
import Standing from './_home/Standing.svelte';
import type { PageServerLoad } from './$types.js';

/** A list has no room for the eighteen decimals of a chain; what is dropped are zeros. */
function shortAmounts(exchange: LatestExchange): LatestExchange {
  const { send, receive, send_amount, receive_amount } = exchange;
  return {
    ...exchange,
    send_amount: listFigure(send_amount, send.decimals),
    receive_amount: listFigure(receive_amount, receive.decimals),
  };
}

/** The others stand on `/rates`. */
const firstRates = 8;

async function orNull<T>(asked: Promise<{ data: T }>): Promise<T | null> {
  try {
    return (await asked).data;
  } catch {
    return null;
  }
}

export const load: PageServerLoad = async ({ locals, url, depends }) => {
  depends('home:rates');
  const [site, page, desk, rates, latest] = await Promise.all([
    siteSettings(locals.call),
    locals.call(getPublicSettings, { params: { slug: 'home-page' } }),
    orNull(locals.call(converter)),
    orNull(locals.call(ratesShowcase)),
    orNull(locals.call(latestExchanges)),
  ]);
  // The API checked it against the same schema before it was stored.
  const home = page.data as HomePage;
  return {
    hero: home.hero,
    stats: home.stats,
    structured: homeJsonLd(url.origin, site, home),
    desk,
    opening: desk && openingOf(desk, url.searchParams),
    moving: await still(Moving, {
      home,
      rates: rates && drawnRates(rates.slice(0, firstRates)),
      rateCount: rates?.length ?? 0,
      latest: latest?.map(shortAmounts) ?? null,
    }),
    standing: await still(Standing, {
      home,
      signs: Object.fromEntries(home.features.items.map(({ icon }) => [icon, signPaths[icon]])),
    }),
  };
};
