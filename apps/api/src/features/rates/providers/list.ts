/** All providers that this desk knows, by name. */
import { freePlans, type RateFeed, type RateProviderName } from '@cambist/contract/rate-settings';
import type { RateProvider } from './provider.ts';
import { coingecko } from './coingecko.ts';
import { currencyapi } from './currencyapi.ts';
import { currencylayer } from './currencylayer.ts';
import { exchangerateApi } from './exchangerate-api.ts';
import { exchangerateHost } from './exchangerate-host.ts';
import { fixer } from './fixer.ts';
import { frankfurter } from './frankfurter.ts';
import { openExchangeRates } from './openexchangerates.ts';

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

/** As it calls itself; the raw name of a provider that only older rows know. */
export function labelOf(name: string): string {
  return find(name)?.label ?? name;
}

/** How often its rates change on its free plan; `hourly`, the strictest, for an unknown one. */
export function feedOf(name: string): RateFeed {
  const provider = find(name);
  return provider ? freePlans[provider.name].feed : 'hourly';
}

/** Whether any of these can be asked of it. */
export function carriesAny(name: string, units: readonly string[]): boolean {
  const provider = find(name);
  return units.some((unit) => provider?.carries?.(unit) ?? true);
}

function find(name: string): RateProvider | undefined {
  return Object.values(providers).find((provider) => provider.name === name);
}
