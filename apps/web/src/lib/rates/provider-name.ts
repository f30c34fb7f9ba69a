/** The names by which providers of rates call themselves. Pure. */
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

/** The raw name of one that older rows know and this version does not. */
export function providerName(name: string): string {
  return new Map(Object.entries(names)).get(name) ?? name;
}

/** Of a rate that is made of several: `Fixer + CoinGecko`. */
export function sourceName(source: string): string {
  return source.split(' + ').map(providerName).join(' + ');
}
