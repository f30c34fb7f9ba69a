/** Which pairs of the list are shown, as its address says it. Pure. */
import { rateModes, rateStates, type RateState } from '@cambist/contract/pair-terms';
import type { Pair } from '@cambist/contract/pairs';

export interface PairFilter {
  readonly state: RateState | null;
  readonly mode: Pair['rate_mode'] | null;
  /** Words that a unit, a channel or a name must hold. */
  readonly search: string;
}

/** What the address does not say, or says wrongly, is left open. */
export function filterFromQuery(query: Pick<URLSearchParams, 'get'>): PairFilter {
  return {
    state: rateStates.find((state) => state === query.get('state')) ?? null,
    mode: rateModes.find((mode) => mode === query.get('mode')) ?? null,
    search: (query.get('search') ?? '').slice(0, 80),
  };
}

export function listPath({ state, mode, search }: PairFilter): string {
  const query = new URLSearchParams();
  if (state) query.set('state', state);
  if (mode) query.set('mode', mode);
  if (search) query.set('search', search);
  return query.size === 0 ? '/admin/pairs' : `/admin/pairs?${query}`;
}

export function matches(pair: Pair, { state, mode, search }: PairFilter): boolean {
  if (state !== null && pair.state !== state) return false;
  if (mode !== null && pair.rate_mode !== mode) return false;
  const text = [pair.send, pair.receive]
    .flatMap(({ unit, name, channel }) => [unit, name, channel])
    .join(' ')
    .toLowerCase();
  return search
    .toLowerCase()
    .split(/[\s/→>-]+/)
    .every((word) => text.includes(word));
}
