/** All supported providers by name. */
import { freePlans, type RateFeed, type RateProviderName } from '@cambist/contract/rate-settings';
import type { RateProvider } from './provider.ts';
import { currencylayer, exchangerateHost, fixer } from './apilayer.ts';
import { coingecko } from './coingecko.ts';
import { currencyapi } from './currencyapi.ts';
import { exchangerateApi } from './exchangerate-api.ts';
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

/** The raw name for a former provider. */
export function labelOf(name: string): string {
  return find(name)?.label ?? name;
}

/** The feed of its free plan; `hourly`, the strictest, for an unknown one. */
export function feedOf(name: string): RateFeed {
  const provider = find(name);
  return provider ? freePlans[provider.name].feed : 'hourly';
}

export function supportsAny(name: string, units: readonly string[]): boolean {
  const provider = find(name);
  return units.some((unit) => provider?.supports?.(unit) ?? true);
}

function find(name: string): RateProvider | undefined {
  return Object.values(providers).find((provider) => provider.name === name);
}
