/** Rates with their sparklines drawn on the server, so that the browser gets the drawing only. */
import type { ShowcaseRate } from '@cambist/contract/pairs';
import { drawSparkline } from '#lib/ui/sparkline-path.ts';

export function drawnRates(rates: readonly ShowcaseRate[]) {
  return rates.map(({ sparkline, ...rate }) => ({ ...rate, drawing: drawSparkline(sparkline) }));
}

/** The rates in which every word of the query begins a word of the two currencies. */
export function findRates(rates: readonly ShowcaseRate[], query: string): readonly ShowcaseRate[] {
  const words = wordsOf(query).filter((word) => word !== 'to');
  if (words.length === 0) return rates;
  return rates.filter(({ pair, send, receive }) => {
    const sides = [send, receive].flatMap(({ unit, name, channel }) => [unit, name, channel]);
    const known = wordsOf([pair, ...sides].join(' '));
    return words.every((word) => known.some((each) => each.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
