/** Which pairs of the list are shown, as its address says it. Pure. */
import { rateStates, type RateState } from '@cambist/contract/pair-terms';
import type { Pair } from '@cambist/contract/pairs';

interface PairFilter {
  readonly state: RateState | null;
  /** Words that a unit, a channel or a name must hold. */
  readonly search: string;
}

/** What the address does not say, or says wrongly, is left open. */
export function filterFromQuery(query: Pick<URLSearchParams, 'get'>): PairFilter {
  return {
    state: rateStates.find((state) => state === query.get('state')) ?? null,
    search: (query.get('search') ?? '').slice(0, 80),
  };
}

export function listPath({ state, search }: PairFilter): string {
  const query = new URLSearchParams({ ...(state && { state }), ...(search && { search }) });
  return query.size === 0 ? '/admin/pairs' : `/admin/pairs?${query}`;
}

export function matches({ send, receive }: Pair, search: string): boolean {
  const text = [send, receive]
    .flatMap(({ unit, name, channel }) => [unit, name, channel])
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/[\s/→>-]+/)
    .every((word) => text.includes(word));
}
