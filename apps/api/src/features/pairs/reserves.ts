/** What can be paid out of a currency: as the site shows it, and as it bounds a quote. */
import type { ConverterCurrency } from '@cambist/contract/pairs';
import type { SettingValue } from '@cambist/contract/settings';
import { formatAmount } from '@cambist/money/amount';
import { MoneyError } from '@cambist/money/decimal';
import { quoteWithin, type PriceTerms, type Quote } from '@cambist/money/quote';
import { amountFor, read, settingsName } from '#features/content/settings/settings.ts';
import { available, listAvailable, RESERVES } from '#features/ledger/ledger.ts';
import { Refusal } from '#kernel/refusal.ts';
import type { Deps } from '#platform/deps.ts';
import { sendLimits, withUnit } from './limits.ts';
import type { PairRow } from './store.ts';
import { terms } from './terms.ts';

type ShownReserve = Pick<ConverterCurrency, 'reserve' | 'reserve_capped'>;

export interface ShownReserves {
  /** Equal where they show the same. */
  readonly text: string;
  readonly bySlug: ReadonlyMap<string, ShownReserve>;
}

/** Every exchange moves a reserve, so postings do not outdate what is shown: it is this old at most. */
const SHOWN_SECONDS = 5;

export function readShownReserves(deps: Pick<Deps, 'db' | 'published'>): Promise<ShownReserves> {
  const options = { maxAgeSeconds: SHOWN_SECONDS, follows: [RESERVES, settingsName('desk')] };
  const build = async () => {
    const { reserve_display_cap: caps } = await read(deps, 'desk');
    const shown = (await listAvailable(deps.db)).map(({ slug, decimals, balance }) => {
      const most = shownReserve(balance, { slug, decimals }, caps);
      const reserve = formatAmount(most, decimals);
      return [slug, { reserve, reserve_capped: most < balance }] as const;
    });
    return { text: JSON.stringify(shown), bySlug: new Map(shown) };
  };
  return deps.published.cached('shown reserves', build, options);
}

type Amounts = SettingValue<'desk'>['reserve_display_cap'];
type Currency = { readonly slug: string; readonly decimals: number };

/** The reserve, or the most that the site shows of it. */
export function shownReserve(reserve: bigint, currency: Currency, caps: Amounts): bigint {
  const cap = amountFor(caps, currency);
  return cap !== null && cap < reserve ? cap : reserve;
}

/**
 * A payout above the reserve, refused with the largest amount that the site shows as payable; null
 * where the reserve covers it, or where the pair's own limits are tighter and say so.
 */
export async function reserveRefusal(
  deps: Pick<Deps, 'db' | 'published'>,
  pair: PairRow,
  payout: bigint,
): Promise<Refusal | null> {
  const reserve = await available(deps.db, pair.receive_currency_id);
  const priced = terms(pair);
  const limits = sendLimits(pair);
  if (payout <= reserve || priced === null || limits === null) return null;
  const covered = mostWithin(priced, reserve);
  if (covered !== null && covered.send >= limits.max) return null;
  const { reserve_display_cap: caps } = await read(deps, 'desk');
  const shown = mostWithin(priced, shownReserve(reserve, pair.receive, caps));
  const message =
    shown === null || shown.send < limits.min
      ? `${pair.receive.unit} (${pair.receive.channel}) cannot be paid out at the moment.`
      : `At most ${withUnit(shown.payout, pair.receive)} can be paid out now.`;
  return new Refusal(422, 'reserve_exceeded', message, { errors: { amount: [message] } });
}

/** Null where nothing is paid out within it. */
export function mostWithin(priced: PriceTerms, payout: bigint): Quote | null {
  try {
    return quoteWithin(priced, payout);
  } catch (error) {
    // Tiers or a reserve beyond what can be counted.
    if (error instanceof MoneyError) return null;
    throw error;
  }
}
