/** Pure: names in the settings of the feeds that match no pair or no cash currency. */
import type { FeedSettings, FeedWarning } from '@cambist/contract/feeds';

interface NamedPair {
  readonly slug: string;
  readonly send: { readonly slug: string; readonly kind: string };
  readonly receive: { readonly slug: string; readonly kind: string };
}

export function settingsWarnings(
  { pair_flags, excluded, cities }: FeedSettings,
  pairs: readonly NamedPair[],
): FeedWarning[] {
  const known = new Set(pairs.map(({ slug }) => slug));
  const kinds = new Map(
    pairs.flatMap(({ send, receive }) => [send, receive]).map(({ slug, kind }) => [slug, kind]),
  );
  const named = [...new Set([...pair_flags.map(({ pair }) => pair), ...excluded])];
  return [
    ...named
      .filter((pair) => !known.has(pair))
      .map((pair) => warning('name_unknown', `The settings name ${pair}: no such pair.`)),
    ...cities.flatMap(({ currency }) => {
      const kind = kinds.get(currency);
      const cityOf = `The settings name cities of ${currency}`;
      if (kind === undefined)
        return [warning('name_unknown', `${cityOf}: no pair has such a currency.`)];
      return kind === 'cash' ? [] : [warning('city_needless', `${cityOf}: it is no cash.`)];
    }),
  ];
}

function warning(kind: FeedWarning['warning'], message: string): FeedWarning {
  return { warning: kind, message };
}
