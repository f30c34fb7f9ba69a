/** The rates of a list with their lines drawn. For the server: the browser gets the drawing alone. */
import type { ShowcaseRate } from '@cambist/contract/pairs';
import { drawSparkline } from '#lib/ui/sparkline-path.ts';

export function drawnRates(rates: readonly ShowcaseRate[]) {
  return rates.map(({ sparkline, ...rate }) => ({ ...rate, drawing: drawSparkline(sparkline) }));
}

/** Those of which every word that was asked for begins a word of the two currencies. */
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
