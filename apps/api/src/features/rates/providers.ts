/** All providers that this desk can ask, by name. */
import { freePlans, type RateFeed, type RateProviderName } from '@cambist/contract/rate-settings';
import type { RateProvider } from './provider.ts';
import { coingecko } from './providers/coingecko.ts';
import { currencyapi } from './providers/currencyapi.ts';
import { currencylayer } from './providers/currencylayer.ts';
import { exchangerateApi } from './providers/exchangerate-api.ts';
import { exchangerateHost } from './providers/exchangerate-host.ts';
import { fixer } from './providers/fixer.ts';
import { frankfurter } from './providers/frankfurter.ts';
import { openExchangeRates } from './providers/openexchangerates.ts';

export const providers: Readonly<Record<RateProviderName, RateProvider>> = {
  'exchangerate-api': exchangerateApi,
  openexchangerates: openExchangeRates,
  currencylayer,
  'exchangerate-host': exchangerateHost,
  fixer,
  frankfurter,
  currencyapi,
  coingecko,
};

/** As it calls itself; the raw name of one that older rows know and this version does not. */
export function labelOf(name: string): string {
  return find(name)?.label ?? name;
}

/** How often its figures change on its free plan; of a stranger, the most careful guess. */
export function feedOf(name: string): RateFeed {
  const provider = find(name);
  return provider ? freePlans[provider.name].feed : 'hourly';
}

/** What it gives rates in terms of; none of a stranger. */
export function basesOf(name: string): readonly string[] {
  return find(name)?.bases ?? [];
}

/** Whether any of these can be asked of it. */
export function carriesAny(name: string, units: readonly string[]): boolean {
  const provider = find(name);
  return units.some((unit) => provider?.carries?.(unit) ?? true);
}

function find(name: string): RateProvider | undefined {
  return Object.values(providers).find((provider) => provider.name === name);
}
