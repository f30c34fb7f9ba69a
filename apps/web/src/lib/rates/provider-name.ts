/** Names of rate providers. Pure. */
import type { RateProviderName } from '@cambist/contract/rate-settings';

const names: Readonly<Record<RateProviderName, string>> = {
  'exchangerate-api': 'ExchangeRate-API',
  openexchangerates: 'Open Exchange Rates',
  currencylayer: 'currencylayer',
  'exchangerate-host': 'exchangerate.host',
  fixer: 'Fixer',
  frankfurter: 'Frankfurter (ECB)',
  currencyapi: 'currencyapi',
  coingecko: 'CoinGecko',
};

/** Falls back to the raw name of an unknown provider. */
export function providerName(name: string): string {
  return new Map(Object.entries(names)).get(name) ?? name;
}

/** For a rate made from several: `Fixer + CoinGecko`. */
export function sourceName(source: string): string {
  return source.split(' + ').map(providerName).join(' + ');
}
