/**
 * What happened to an exchange between two looks at it, so that an operator who
 * was overtaken learns by what. Pure; the words stand in the message catalogue.
 */
import type { DeskExchangeDetail } from '@cambist/contract/desk';

export type DeskEvent = DeskExchangeDetail['timeline'][number];

export type Change =
  | { readonly kind: 'event'; readonly event: DeskEvent }
  | { readonly kind: 'claimed'; readonly by: string }
  | { readonly kind: 'claim_ended' }
  | { readonly kind: 'proofs'; readonly count: number }
  | { readonly kind: 'other' };

type Seen = Pick<DeskExchangeDetail, 'version' | 'claim' | 'proofs' | 'timeline'>;

/** Oldest first; empty when nothing changed. */
export function changesBetween(before: Seen, after: Seen): Change[] {
  const known = new Set(before.timeline.map(({ id }) => id));
  const events = after.timeline.filter(({ id }) => !known.has(id));
  const changes: Change[] = events.map((event) => ({ kind: 'event', event }));
  // Events tell of claims and proofs already; these are for what left none.
  if (events.length === 0) {
    if (before.claim !== null && after.claim === null) changes.push({ kind: 'claim_ended' });
    if (after.claim !== null && after.claim.by !== before.claim?.by) {
      changes.push({ kind: 'claimed', by: after.claim.by });
    }
    const count = after.proofs.length - before.proofs.length;
    if (count > 0) changes.push({ kind: 'proofs', count });
  }
  if (changes.length === 0 && after.version !== before.version) changes.push({ kind: 'other' });
  return changes;
}
