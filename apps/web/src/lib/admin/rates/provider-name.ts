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

export function providerName(name: RateProviderName): string {
  return names[name];
}
